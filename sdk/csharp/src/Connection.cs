using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Net.Sockets;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Sutura.Sdk
{
    /// <summary>Sends requests. The only place that knows the key.</summary>
    internal sealed class Connection
    {
        private const string UserAgent = "sutura-sdk-csharp/0.1.0";
        private const int ReadBytes = 64 * 1024;

        /// <summary>Set by .NET itself; a photo's length is that of its bytes.</summary>
        private static readonly HashSet<string> NotOurs = new HashSet<string>(StringComparer.OrdinalIgnoreCase)
        {
            "connection", "content-length", "expect", "host", "upgrade", "transfer-encoding",
        };

        private readonly string apiKey;

        internal Connection(Settings settings, string apiKey) => (Settings, this.apiKey) = (settings, apiKey);

        internal Settings Settings { get; }

        /// <summary>One attempt. <paramref name="failures"/>: how many were before it.</summary>
        internal async Task<Answer> SendOnceAsync(Call call, int failures, CancellationToken cancellationToken)
        {
            var address = call.Address ?? new Uri(Settings.BaseUrl + call.Path);
            using var watch = new Watch(call.Timeout ?? Settings.Timeout, cancellationToken);
            using var photo = call.Photo == null ? null : new PhotoContent(call.Photo, call.Progress, watch.Refresh);
            using var request = RequestOf(call, address, photo);
            var started = Settings.Time.Now;
            Answer answer;
            try
            {
                using var response = await Settings.Http
                    .SendAsync(request, HttpCompletionOption.ResponseHeadersRead, watch.Token).ConfigureAwait(false);
                answer = await ReadAsync(response, call, watch).ConfigureAwait(false);
            }
            catch (Exception fault)
            {
                cancellationToken.ThrowIfCancellationRequested();
                var named = Name(fault, call, photo, watch, Settings.OriginOf(address));
                Log(call, failures, started, named.GetType().Name, null);
                if (named is SuturaException)
                {
                    throw named;
                }
                // The caller's own fault, with the place where it happened.
                ExceptionDispatchInfo.Throw(named);
                throw;
            }
            Log(call, failures, started, answer.Status.ToString(System.Globalization.CultureInfo.InvariantCulture), answer);
            return IsWelcome(call, answer.Status) ? answer : throw Problems.Of(answer, Settings.Time.Now);
        }

        /// <summary>An answer that looks like a success and is none of Sutura's.</summary>
        internal MalformedResponseException Malformed(Answer answer) => new MalformedResponseException(
            $"The answer ({answer.Status}) is not what the service promises. Does the base URL lead to Sutura?",
            Problems.FactsOf(answer, Settings.Time.Now));

        private HttpRequestMessage RequestOf(Call call, Uri address, PhotoContent? photo)
        {
            var request = new HttpRequestMessage(new HttpMethod(call.Method), address)
            {
                Content = photo ?? (call.Body == null ? (HttpContent?)null : new ByteArrayContent(call.Body)),
            };
            foreach (var (name, value) in call.Headers)
            {
                if (!NotOurs.Contains(name) && !request.Headers.TryAddWithoutValidation(name, value))
                {
                    request.Content?.Headers.TryAddWithoutValidation(name, value);
                }
            }
            if (call.WithKey)
            {
                request.Headers.TryAddWithoutValidation("authorization", "Bearer " + apiKey);
                request.Headers.TryAddWithoutValidation("user-agent", UserAgent);
            }
            return request;
        }

        private static async Task<Answer> ReadAsync(HttpResponseMessage response, Call call, Watch watch)
        {
            var status = (int)response.StatusCode;
            var file = call.Sink != null && IsSuccess(status) ? call.Sink : null;
            file?.Begin();
            using var memory = new MemoryStream();
            using var stream = await response.Content.ReadAsStreamAsync().ConfigureAwait(false);
            var piece = new byte[ReadBytes];
            long sizeBytes = 0;
            for (var read = -1; read != 0;)
            {
                read = await stream.ReadAsync(piece, 0, piece.Length, watch.Token).ConfigureAwait(false);
                sizeBytes += read;
                if (call.IsLong)
                {
                    watch.Refresh();
                }
                if (file == null)
                {
                    memory.Write(piece, 0, read);
                }
                else
                {
                    await file.WriteAsync(piece, read, watch.Token).ConfigureAwait(false);
                }
            }
            return new Answer(status, Answer.HeadersOf(response), memory.ToArray(), sizeBytes);
        }

        private static bool IsSuccess(int status) => status >= 200 && status < 300;

        private static bool IsWelcome(Call call, int status) =>
            IsSuccess(status) || call.Accepted == status || (call.AcceptsRedirects && status >= 300 && status < 400);

        /// <summary>Faults of .NET are not passed on as causes: some say the whole address, and an address may be signed.</summary>
        private static Exception Name(Exception fault, Call call, PhotoContent? photo, Watch watch, string origin)
        {
            if (photo?.Fault != null)
            {
                return photo.Fault;
            }
            if (call.Sink?.Fault != null)
            {
                return call.Sink.Fault;
            }
            if (watch.IsOver)
            {
                return new RequestTimeoutException($"No answer from {origin} within {watch.TimeoutMs} ms.", Facts.None);
            }
            if (!(fault is HttpRequestException) && !(fault is IOException) && !(fault is OperationCanceledException))
            {
                return fault;
            }
            var code = CodeOf(fault);
            return new NetworkException(
                $"No whole answer from {origin}{(code == null ? "" : $" ({code})")}. Is the service running there?", Facts.OfCode(code));
        }

        private static string? CodeOf(Exception fault)
        {
            for (Exception? one = fault; one != null; one = one.InnerException)
            {
                switch ((one as SocketException)?.SocketErrorCode)
                {
                    case SocketError.ConnectionRefused:
                        return "ECONNREFUSED";
                    case SocketError.HostNotFound:
                    case SocketError.NoData:
                    case SocketError.TryAgain:
                        return "ENOTFOUND";
                    case SocketError.ConnectionReset:
                    case SocketError.ConnectionAborted:
                    case SocketError.Shutdown:
                        return "ECONNRESET";
                }
            }
            // The other side closed in the middle: .NET has a sentence for it and no code.
            return fault.InnerException is IOException || fault is IOException ? "ECONNRESET" : null;
        }

        private void Log(Call call, int failures, DateTimeOffset started, string outcome, Answer? answer)
        {
            if (Settings.Log != null)
            {
                var ms = (long)(Settings.Time.Now - started).TotalMilliseconds;
                var id = answer?.Header("x-request-id");
                Settings.Log($"sutura: {call.Method} {call.ShownPath} {outcome}, attempt {failures + 1}, {ms} ms{(id == null ? "" : $" {id}")}");
            }
        }
    }

    /// <summary>The longest wait for an answer, or the longest silence where a body is on its way.</summary>
    internal sealed class Watch : IDisposable
    {
        private readonly TimeSpan timeout;
        private readonly CancellationTokenSource own = new CancellationTokenSource();
        private readonly CancellationTokenSource both;

        internal Watch(TimeSpan timeout, CancellationToken callers)
        {
            this.timeout = timeout;
            both = CancellationTokenSource.CreateLinkedTokenSource(own.Token, callers);
            Refresh();
        }

        internal CancellationToken Token => both.Token;

        internal bool IsOver => own.IsCancellationRequested;

        internal long TimeoutMs => (long)timeout.TotalMilliseconds;

        public void Dispose()
        {
            both.Dispose();
            own.Dispose();
        }

        /// <summary>Something moved.</summary>
        internal void Refresh() => own.CancelAfter(timeout);
    }
}
