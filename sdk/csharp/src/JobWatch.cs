using System;
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    /// <summary>How a job is waited for.</summary>
    public sealed class WaitOptions
    {
        /// <summary>For the whole job, through outages of the service; five minutes by default.</summary>
        public TimeSpan Timeout { get; set; } = TimeSpan.FromMinutes(5);

        /// <summary>Between two looks, where the service does not hold its answer; by default what it asks for.</summary>
        public TimeSpan? Interval { get; set; }

        /// <summary>Whether the service may hold its answer until the job has ended; true by default.</summary>
        public bool LongPoll { get; set; } = true;

        /// <summary>Whether a job that ended in error is thrown as <see cref="JobFailedException"/>; true by default.</summary>
        public bool ThrowOnError { get; set; } = true;

        /// <summary>Is given the job after each look.</summary>
        public Action<AnalysisJob>? OnState { get; set; }
    }

    /// <summary>Asks for one job until it has ended.</summary>
    internal sealed class JobWatch
    {
        private const long ShortestIntervalMs = 100;
        private const long FirstIntervalMs = 1000;
        private const long LongestIntervalMs = 5000;

        /// <summary>The service holds an answer back for 30 s at most; proxies often cut silence at 30.</summary>
        private const long LongestHoldS = 20;
        private const long GraceMs = 2000;
        private const long HeldToleranceMs = 100;
        private const int NotModified = 304;
        private const int TooMany = 429;

        private readonly Calls calls;
        private readonly Settings settings;
        private readonly string jobId;
        private readonly WaitOptions options;
        private readonly long endMs;
        private AnalysisJob? job;
        private string? etag;
        private int failures;
        private SuturaException? outage;
        private double growingMs = FirstIntervalMs;

        internal JobWatch(Calls calls, string jobId, WaitOptions options)
        {
            (this.calls, settings, this.jobId, this.options) = (calls, calls.Settings, jobId, options);
            endMs = NowMs + (long)options.Timeout.TotalMilliseconds;
        }

        private long NowMs => settings.Time.Now.ToUnixTimeMilliseconds();

        internal static string PathOf(string jobId) => $"/api/v1/analysis/jobs/{Segment.Of(nameof(jobId), jobId)}";

        internal async Task<AnalysisJob> UntilEndedAsync(CancellationToken cancellationToken)
        {
            while (true)
            {
                var leftMs = endMs - NowMs;
                var pauseMs = await LookAsync(leftMs, cancellationToken).ConfigureAwait(false);
                if (job?.Status == "completed" || (job?.Status == "error" && !options.ThrowOnError))
                {
                    return job;
                }
                if (job?.Status == "error")
                {
                    throw new JobFailedException(job);
                }
                // Only now: the last look is at the very end.
                if (leftMs <= 0)
                {
                    throw Overdue();
                }
                if (pauseMs > 0)
                {
                    var pause = TimeSpan.FromMilliseconds(Math.Max(0, Math.Min(pauseMs, endMs - NowMs)));
                    await settings.Time.SleepAsync(pause, cancellationToken).ConfigureAwait(false);
                }
            }
        }

        /// <summary>Reads the job; how long to pause before the next look. An outage does not end the wait, since the job goes on.</summary>
        private async Task<long> LookAsync(long leftMs, CancellationToken cancellationToken)
        {
            var holdS = options.LongPoll ? Math.Max(0, Math.Min(LongestHoldS, leftMs / 1000)) : 0;
            var askedMs = NowMs;
            Answer answer;
            try
            {
                answer = await calls.Connection.SendOnceAsync(Question(leftMs, holdS), failures, cancellationToken).ConfigureAwait(false);
            }
            catch (SuturaException fault)
            {
                if (PauseAfter(fault) is long pauseMs)
                {
                    return pauseMs;
                }
                throw;
            }
            if (answer.Status != NotModified)
            {
                job = calls.Read<AnalysisJob>(answer, "id", "status");
                etag = answer.Header("etag");
            }
            failures = 0;
            outage = null;
            options.OnState?.Invoke(job!);
            var wasHeld = holdS > 0 && NowMs - askedMs >= (holdS * 1000) - HeldToleranceMs;
            return wasHeld ? 0 : IntervalMs(answer);
        }

        private Call Question(long leftMs, long holdS)
        {
            var call = Call.Of("GET", PathOf(jobId));
            if (holdS > 0)
            {
                call.Header("prefer", $"wait={holdS}");
            }
            if (etag != null)
            {
                call.Header("if-none-match", etag);
                call.Accepted = NotModified;
            }
            // A look that began in time may end a little late, and no later.
            var longestMs = Math.Max(0, leftMs) + GraceMs;
            call.Timeout = TimeSpan.FromMilliseconds(Math.Min(settings.Timeout.TotalMilliseconds + (holdS * 1000), longestMs));
            return call;
        }

        /// <summary>What the caller says, else the service, else about a second and growing.</summary>
        private long IntervalMs(Answer answer)
        {
            if ((options.Interval ?? Problems.FactsOf(answer, settings.Time.Now).RetryAfter) is TimeSpan given)
            {
                // Neither may make this a loop without a pause.
                return Math.Max((long)given.TotalMilliseconds, ShortestIntervalMs);
            }
            var intervalMs = growingMs * (0.8 + (0.4 * settings.Time.Random()));
            growingMs = Math.Min(LongestIntervalMs, growingMs * 1.5);
            return (long)intervalMs;
        }

        private long? PauseAfter(SuturaException fault)
        {
            if (!(Retries.PauseInOutage(fault, failures, settings) is TimeSpan pause))
            {
                return null;
            }
            var isCrowded = fault.Status == TooMany && fault.RetryAfter != null;
            var moreMs = isCrowded ? (long)(settings.Time.Random() * ((FirstIntervalMs / 2) << Math.Min(failures, 4))) : 0;
            failures += 1;
            outage = fault;
            return (long)pause.TotalMilliseconds + moreMs;
        }

        private WaitTimeoutException Overdue()
        {
            var state = job == null ? "was not seen" : $"is still {job.Status}";
            return new WaitTimeoutException(
                $"The job {jobId} {state} after {(long)options.Timeout.TotalMilliseconds} ms. It goes on: wait for it again, or with a longer timeout."
                + (outage == null ? "" : $" The last look failed: {outage.Message}"), job);
        }
    }
}
