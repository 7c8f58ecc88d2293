using System;

namespace Sutura.Sdk
{
    /// <summary>When a request is repeated, and after what pause.</summary>
    internal static class Retries
    {
        private const long FirstPauseMs = 500;
        private const long LongestPauseMs = 8000;
        private const int HighestDoubling = 16;

        /// <summary>Null: not repeated. <paramref name="failures"/> counts those before this one.</summary>
        internal static TimeSpan? PauseBefore(SuturaException fault, int failures, Call call, Settings settings)
        {
            var isAllowed = failures < settings.MaxRetries && (call.IsRepeatable || !MayBeDone(fault));
            var isOwnFirst = call.IsKeyed && failures > 0 && fault.Code == "idempotency.in_flight";
            return isAllowed && (isOwnFirst || IsPassing(fault)) ? PauseOf(fault, failures, settings) : null;
        }

        /// <summary>The same for a wait, however many failed before.</summary>
        internal static TimeSpan? PauseInOutage(SuturaException fault, int failures, Settings settings) =>
            IsPassing(fault) ? PauseOf(fault, failures, settings) : null;

        private static TimeSpan? PauseOf(SuturaException fault, int failures, Settings settings)
        {
            if (fault.RetryAfter is TimeSpan asked)
            {
                return asked > settings.MaxRetryAfter ? (TimeSpan?)null : asked;
            }
            var most = Math.Min(LongestPauseMs, FirstPauseMs << Math.Min(failures, HighestDoubling));
            return TimeSpan.FromMilliseconds(Math.Floor(settings.Time.Random() * most));
        }

        private static bool IsPassing(SuturaException fault) =>
            fault is NetworkException || fault is RequestTimeoutException
            || fault.Status == 408 || fault.Status == 429 || fault.Status == 502 || fault.Status == 503 || fault.Status == 504;

        /// <summary>Whether the service may have done it although it did not say so. A 503 may come of a fault on the way back.</summary>
        private static bool MayBeDone(SuturaException fault) => fault is NetworkException
            ? fault.Code != "ECONNREFUSED" && fault.Code != "ENOTFOUND"
            : fault.Status == null || fault.Status == 408 || fault.Status >= 500;
    }
}
