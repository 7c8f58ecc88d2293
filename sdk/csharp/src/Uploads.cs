using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    /// <summary>Photos to their signed addresses.</summary>
    internal sealed class Uploads
    {
        private const int AlreadyThere = 412;
        private readonly Calls calls;
        private readonly Func<UploadRequest, CancellationToken, Task<UploadTicket>> ask;

        internal Uploads(Calls calls, Func<UploadRequest, CancellationToken, Task<UploadTicket>> ask) => (this.calls, this.ask) = (calls, ask);

        /// <summary>Sends a photo, again where it was interrupted. The key stays here: the address is the permission.</summary>
        internal async Task<UploadReceipt> PutAsync(string uploadUrl, IReadOnlyDictionary<string, string>? headers, long? maxBytes,
            Photo photo, IProgress<UploadProgress>? progress, CancellationToken cancellationToken)
        {
            var address = Settings.WebAddress(uploadUrl)
                ?? throw new ArgumentException("uploadUrl must be an address as the service gave it.", nameof(uploadUrl));
            if (photo.SizeBytes > maxBytes)
            {
                throw new PayloadTooLargeException(
                    $"The photo has {photo.SizeBytes} bytes, and the service takes {maxBytes} at most. It was not sent.",
                    Facts.OfCode("image.too_large"));
            }
            var call = Call.To("PUT", address);
            foreach (var (name, value) in headers ?? new Dictionary<string, string>())
            {
                call.Header(name, value);
            }
            call.Photo = photo;
            call.Progress = progress;
            call.Accepted = AlreadyThere;
            return (await calls.SendAsync(call, answer => new UploadReceipt(answer.Header("etag"), photo.SizeBytes), cancellationToken)
                .ConfigureAwait(false))!;
        }

        private Task PutAsync(UploadTicket ticket, Photo photo, IProgress<UploadProgress>? progress, CancellationToken cancellationToken) =>
            PutAsync(ticket.UploadUrl, ticket.Headers, ticket.MaxBytes, photo, progress, cancellationToken);

        /// <summary>Asks for an address and sends the photo there; once more where the address expired on the way.</summary>
        internal async Task<string> UploadAsync(Photo photo, IProgress<UploadProgress>? progress, CancellationToken cancellationToken)
        {
            var announced = new UploadRequest
            {
                ContentType = photo.ContentType(), ContentLength = photo.SizeBytes, Sha256 = photo.Sha256(),
            };
            var ticket = await ask(announced, cancellationToken).ConfigureAwait(false);
            try
            {
                await PutAsync(ticket, photo, progress, cancellationToken).ConfigureAwait(false);
                return ticket.ImageId;
            }
            catch (SuturaException fault) when (IsExpiry(fault, ticket))
            {
                ticket = await ask(announced, cancellationToken).ConfigureAwait(false);
            }
            await PutAsync(ticket, photo, progress, cancellationToken).ConfigureAwait(false);
            return ticket.ImageId;
        }

        /// <summary>The gateway says 410; an S3 store says 403 to an address past its time as to any other that it refuses.</summary>
        private bool IsExpiry(SuturaException fault, UploadTicket ticket) =>
            fault is GoneException || (fault is ScopeException
                && DateTimeOffset.TryParse(ticket.ExpiresAt, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var end)
                && calls.Settings.Time.Now >= end);
    }
}
