using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    /// <summary>The client of a Sutura service. One serves a whole program and all its tasks; nothing must be disposed. Keep it
    /// on a server: whoever has the key can read the results.</summary>
    public sealed partial class SuturaClient
    {
        private readonly Calls calls;
        private readonly Uploads uploads;
        private readonly Downloads downloads;

        /// <summary>A client by <c>SUTURA_API_KEY</c> and <c>SUTURA_BASE_URL</c>.</summary>
        public SuturaClient() : this(new SuturaOptions())
        {
        }

        /// <summary>A client by options of one's own; <see cref="ConfigurationException"/> where they cannot work.</summary>
        public SuturaClient(SuturaOptions options)
        {
            calls = new Calls(new Connection(new Settings(options), Settings.CheckedKey(options.ApiKey)));
            uploads = new Uploads(calls, (request, cancellationToken) => GetUploadUrlAsync(request, cancellationToken));
            downloads = new Downloads(calls);
        }

        /// <summary>Uploads a photo, creates a job for it and waits until it has ended, five minutes at most.</summary>
        /// <param name="idempotencyKey">the same for every repeat of this; null: a new one</param>
        /// <param name="progress">is told how much has been sent; what it throws ends the upload</param>
        public async Task<AnalysisJob> AnalyzeImageAndWaitAsync(Photo photo, AnalysisJobRequest? request = null, WaitOptions? options = null,
            string? idempotencyKey = null, IProgress<UploadProgress>? progress = null, CancellationToken cancellationToken = default)
        {
            var job = await AnalyzeImageAsync(photo, request, idempotencyKey, progress, cancellationToken).ConfigureAwait(false);
            return await WaitForJobAsync(job.Id, options, cancellationToken).ConfigureAwait(false);
        }

        /// <summary>Uploads a photo and creates a job for it; <c>ImageId</c> of the request is that of the photo then.</summary>
        /// <param name="idempotencyKey">the same for every repeat of this; null: a new one</param>
        /// <param name="progress">is told how much has been sent; what it throws ends the upload</param>
        public async Task<AnalysisJob> AnalyzeImageAsync(Photo photo, AnalysisJobRequest? request = null, string? idempotencyKey = null,
            IProgress<UploadProgress>? progress = null, CancellationToken cancellationToken = default)
        {
            var given = request ?? new AnalysisJobRequest();
            given.ImageId = await uploads.UploadAsync(photo, progress, cancellationToken).ConfigureAwait(false);
            return await CreateAnalysisJobAsync(given, idempotencyKey, cancellationToken).ConfigureAwait(false);
        }

        /// <summary>Sends a photo to the address of a ticket, with its exact headers and without the key.</summary>
        public Task<UploadReceipt> UploadFileToSignedUrlAsync(UploadTicket ticket, Photo photo, CancellationToken cancellationToken = default) =>
            UploadFileToSignedUrlAsync(ticket.UploadUrl, ticket.Headers, ticket.MaxBytes, photo, null, cancellationToken);

        /// <summary>The same with the parts of a ticket.</summary>
        /// <param name="maxBytes">more are not sent</param>
        /// <param name="progress">is told how much has been sent; what it throws ends the upload</param>
        public Task<UploadReceipt> UploadFileToSignedUrlAsync(string uploadUrl, IReadOnlyDictionary<string, string>? headers, long? maxBytes,
            Photo photo, IProgress<UploadProgress>? progress = null, CancellationToken cancellationToken = default) =>
            uploads.PutAsync(uploadUrl, headers, maxBytes, photo, progress, cancellationToken);

        /// <summary>Waits until a job has ended, five minutes at most. <see cref="JobFailedException"/> where it ended in error,
        /// <see cref="WaitTimeoutException"/> where it still runs; it goes on.</summary>
        public Task<AnalysisJob> WaitForJobAsync(string jobId, WaitOptions? options = null, CancellationToken cancellationToken = default) =>
            new JobWatch(calls, jobId, options ?? new WaitOptions()).UntilEndedAsync(cancellationToken);

        /// <summary>Saves a picture of a job: mask, overlay or tissue. The file appears whole or not at all.</summary>
        public Task<SavedFile> DownloadArtifactAsync(string jobId, string artifact, string path, CancellationToken cancellationToken = default) =>
            downloads.ArtifactAsync(jobId, artifact, path, cancellationToken);

        /// <summary>Deletes an image that no analysis uses.</summary>
        public Task DeleteImageAsync(string imageId, CancellationToken cancellationToken = default) =>
            calls.NothingAsync(Call.Of("DELETE", $"/api/v1/images/{Segment.Of("imageId", imageId)}").GoneIsDone(), cancellationToken);

        /// <summary>Any route, with key, retries and exceptions by code; the answer as it came. No redirect is followed.</summary>
        public async Task<RawAnswer> RequestAsync(RawRequest request, CancellationToken cancellationToken = default) =>
            (await calls.SendAsync(request.ToCall(), answer => new RawAnswer(answer), cancellationToken).ConfigureAwait(false))!;

        /// <summary>Without the key.</summary>
        public override string ToString() => $"SuturaClient[{calls.Settings.BaseUrl}]";
    }
}
