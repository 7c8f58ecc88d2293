using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;

namespace Sutura.Sdk
{
    /// <summary>A photo to send: a JPEG, PNG or WebP by its first bytes. Of a file it is never held in memory.</summary>
    public sealed class Photo : IDisposable
    {
        private const int HeadBytes = 12;
        private readonly byte[]? bytes;
        private readonly string? path;
        private readonly bool isTemporary;

        private Photo(byte[]? bytes, string? path, bool isTemporary)
        {
            (this.bytes, this.path, this.isTemporary) = (bytes, path, isTemporary);
            SizeBytes = bytes == null ? new FileInfo(path).Length : bytes.Length;
        }

        /// <summary>How many bytes will be sent.</summary>
        public long SizeBytes { get; }

        /// <summary>A file.</summary>
        public static Photo Of(string path) => new Photo(null, path, false);

        /// <summary>Bytes in memory, which must not change while they are sent.</summary>
        public static Photo Of(byte[] bytes) => new Photo(bytes, null, false);

        /// <summary>A stream, read to its end into a temporary file that <see cref="Dispose"/> deletes.</summary>
        public static async Task<Photo> OfAsync(Stream stream, CancellationToken cancellationToken = default)
        {
            var file = Path.GetTempFileName();
            try
            {
                using (var copy = File.Create(file))
                {
                    await stream.CopyToAsync(copy, cancellationToken).ConfigureAwait(false);
                }
                return new Photo(null, file, true);
            }
            catch
            {
                File.Delete(file);
                throw;
            }
        }

        /// <summary>Deletes the temporary file of a stream.</summary>
        public void Dispose()
        {
            if (isTemporary && path != null)
            {
                File.Delete(path);
            }
        }

        /// <summary>Without content.</summary>
        public override string ToString() => $"Photo[{SizeBytes} bytes]";

        internal Stream Open() => bytes == null
            ? new FileStream(path!, FileMode.Open, FileAccess.Read, FileShare.Read, 4096, useAsync: true)
            : (Stream)new MemoryStream(bytes, writable: false);

        /// <summary>By the first bytes; anything else is not sent.</summary>
        internal string ContentType()
        {
            var head = new byte[HeadBytes];
            using (var stream = Open())
            {
                for (int at = 0, read = -1; read != 0 && at < head.Length; at += read)
                {
                    read = stream.Read(head, at, head.Length - at);
                }
            }
            if (Begins(head, 0, 0xff, 0xd8, 0xff))
            {
                return "image/jpeg";
            }
            if (Begins(head, 0, 0x89, (byte)'P', (byte)'N', (byte)'G', 0x0d, 0x0a, 0x1a, 0x0a))
            {
                return "image/png";
            }
            if (Begins(head, 0, (byte)'R', (byte)'I', (byte)'F', (byte)'F') && Begins(head, 8, (byte)'W', (byte)'E', (byte)'B', (byte)'P'))
            {
                return "image/webp";
            }
            throw new UnsupportedImageException("The file is no JPEG, PNG or WebP by its first bytes. Nothing was sent.", Facts.None);
        }

        private static bool Begins(byte[] head, int at, params byte[] wanted) => head.Skip(at).Take(wanted.Length).SequenceEqual(wanted);

        internal string Sha256()
        {
            using var digest = SHA256.Create();
            using var stream = Open();
            return string.Concat(digest.ComputeHash(stream).Select(one => one.ToString("x2", System.Globalization.CultureInfo.InvariantCulture)));
        }
    }

    /// <summary>How much of a photo has been sent.</summary>
    public sealed class UploadProgress
    {
        internal UploadProgress(long sentBytes, long totalBytes) => (SentBytes, TotalBytes) = (sentBytes, totalBytes);

        /// <summary>So far.</summary>
        public long SentBytes { get; }

        /// <summary>In all.</summary>
        public long TotalBytes { get; }
    }

    /// <summary>What the store said of a photo.</summary>
    public sealed class UploadReceipt
    {
        internal UploadReceipt(string? etag, long sizeBytes) => (ETag, SizeBytes) = (etag, sizeBytes);

        /// <summary>Its tag.</summary>
        public string? ETag { get; }

        /// <summary>What was sent.</summary>
        public long SizeBytes { get; }
    }

    /// <summary>A photo on its way: counts what has been sent.</summary>
    internal sealed class PhotoContent : HttpContent
    {
        private const int PieceBytes = 64 * 1024;
        private readonly Photo photo;
        private readonly IProgress<UploadProgress>? progress;
        private readonly Action moved;

        internal PhotoContent(Photo photo, IProgress<UploadProgress>? progress, Action moved) =>
            (this.photo, this.progress, this.moved) = (photo, progress, moved);

        /// <summary>The caller's own fault: of the file, or thrown by the progress.</summary>
        internal Exception? Fault { get; private set; }

        protected override bool TryComputeLength(out long length)
        {
            length = photo.SizeBytes;
            return true;
        }

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            var piece = new byte[PieceBytes];
            long sentBytes = 0;
            using var source = await OwnAsync(() => Task.FromResult(photo.Open())).ConfigureAwait(false);
            while (true)
            {
                var read = await OwnAsync(() => source.ReadAsync(piece, 0, piece.Length)).ConfigureAwait(false);
                if (read == 0)
                {
                    return;
                }
                await stream.WriteAsync(piece, 0, read).ConfigureAwait(false);
                moved();
                sentBytes += read;
                await OwnAsync(() => Told(sentBytes)).ConfigureAwait(false);
            }
        }

        private Task<bool> Told(long sentBytes)
        {
            progress?.Report(new UploadProgress(sentBytes, photo.SizeBytes));
            return Task.FromResult(true);
        }

        private async Task<T> OwnAsync<T>(Func<Task<T>> work)
        {
            try
            {
                return await work().ConfigureAwait(false);
            }
            catch (Exception fault)
            {
                Fault = fault;
                throw;
            }
        }
    }
}
