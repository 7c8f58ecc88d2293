using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Sutura.Sdk
{
    /// <summary>A file that was saved, whole.</summary>
    public sealed class SavedFile
    {
        internal SavedFile(string path, Answer answer) => (Path, ContentType, SizeBytes) = (path, answer.ContentType, answer.SizeBytes);

        /// <summary>Where it is.</summary>
        public string Path { get; }

        /// <summary>As the service said.</summary>
        public string ContentType { get; }

        /// <summary>Its size.</summary>
        public long SizeBytes { get; }
    }

    /// <summary>A file that appears whole or not at all: it is written beside its place, and moved there.</summary>
    internal sealed class FileSink : IDisposable
    {
        private readonly string target;
        private readonly string partial;
        private FileStream stream;

        internal FileSink(string target)
        {
            this.target = target;
            var folder = Path.GetDirectoryName(Path.GetFullPath(target))!;
            partial = Path.Combine(folder, $".sutura-{Guid.NewGuid():N}.part");
            stream = new FileStream(partial, FileMode.CreateNew, FileAccess.Write);
        }

        /// <summary>The caller's own fault, such as a full disk.</summary>
        internal IOException? Fault { get; private set; }

        public void Dispose()
        {
            stream.Dispose();
            File.Delete(partial);
        }

        /// <summary>A body begins; what an attempt before it left is nothing any more.</summary>
        internal void Begin()
        {
            stream.SetLength(0);
            stream.Position = 0;
        }

        internal async Task WriteAsync(byte[] bytes, int count, CancellationToken cancellationToken)
        {
            try
            {
                await stream.WriteAsync(bytes, 0, count, cancellationToken).ConfigureAwait(false);
            }
            catch (IOException fault)
            {
                Fault = fault;
                throw;
            }
        }

        internal void Keep()
        {
            stream.Dispose();
            File.Move(partial, target, overwrite: true);
        }
    }

    /// <summary>Pictures and documents into files.</summary>
    internal sealed class Downloads
    {
        private const int MostRedirects = 5;
        private readonly Calls calls;

        internal Downloads(Calls calls) => this.calls = calls;

        /// <summary><paramref name="check"/> refuses an answer before the file appears.</summary>
        internal async Task<SavedFile> SaveAsync(Call call, string path, Func<Answer, Answer> check, CancellationToken cancellationToken)
        {
            call.IsLong = true;
            using var sink = new FileSink(path);
            call.Sink = sink;
            var answer = (await calls.SendAsync(call, check, cancellationToken).ConfigureAwait(false))!;
            sink.Keep();
            return new SavedFile(path, answer);
        }

        /// <summary>Follows to the store without the key.</summary>
        internal async Task<SavedFile> ArtifactAsync(string jobId, string artifact, string path, CancellationToken cancellationToken)
        {
            var own = $"{JobWatch.PathOf(jobId)}/artifacts/{Segment.Of(nameof(artifact), artifact)}";
            var address = new Uri(calls.Settings.BaseUrl + own);
            using var sink = new FileSink(path);
            for (var redirects = 0; redirects <= MostRedirects; redirects += 1)
            {
                var call = Call.To("GET", address);
                call.WithKey = calls.Settings.IsOwnOrigin(address);
                call.AcceptsRedirects = true;
                call.IsLong = true;
                call.Sink = sink;
                var answer = (await calls.SendAsync(call, one => one, cancellationToken).ConfigureAwait(false))!;
                if (answer.Status < 300)
                {
                    sink.Keep();
                    return new SavedFile(path, answer);
                }
                address = Elsewhere(answer, address);
            }
            throw new MalformedResponseException($"The artifact was not found behind {MostRedirects} redirects.", Facts.None);
        }

        /// <summary>The location is not shown: it may be signed.</summary>
        private Uri Elsewhere(Answer answer, Uri from)
        {
            var target = Uri.TryCreate(from, answer.Header("location") ?? "", out var found) ? Settings.WebAddress(found.AbsoluteUri) : null;
            return answer.Header("location") != null && target != null
                ? target
                : throw new MalformedResponseException($"The service answered {answer.Status} without an address to go to.",
                    Problems.FactsOf(answer, calls.Settings.Time.Now));
        }
    }
}
