using System;
using System.Collections.Generic;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    /// <summary>Every failure that this library names. The message says what happened and what to do; it never holds the key
    /// or a signed address.</summary>
    public class SuturaException : Exception
    {
        private readonly Facts facts;

        internal SuturaException(string message, Facts facts) : base(message) => this.facts = facts;

        /// <summary>HTTP status; null where the service did not answer.</summary>
        public int? Status => facts.Status;

        /// <summary>Stable code, for example <see cref="ErrorCode.QuotaExceeded"/>: switch on this.</summary>
        public string? Code => facts.Code;

        /// <summary>Tell it to support.</summary>
        public string? RequestId => facts.RequestId;

        /// <summary>The fields that are wrong, with the code <c>request.invalid</c>.</summary>
        public IReadOnlyList<FieldProblem> Errors => facts.Errors;

        /// <summary>When a repeat is worth while, if the service said so.</summary>
        public TimeSpan? RetryAfter => facts.RetryAfter;

        /// <summary>What waits for a person because of the request, by its id in <c>GET /api/v1/held</c>: repeat the request,
        /// with the same Idempotency-Key, once somebody has decided.</summary>
        public string? HeldId => facts.HeldId;
    }

    /// <summary>One field of a request that was refused.</summary>
    public sealed class FieldProblem
    {
        internal FieldProblem(string pointer, string detail) => (Pointer, Detail) = (pointer, detail);

        /// <summary>JSON Pointer (RFC 6901) into the body, or below <c>/query</c> or <c>/header</c>.</summary>
        public string Pointer { get; }

        /// <summary>What is wrong with it.</summary>
        public string Detail { get; }
    }

    /// <summary>What is known of a failure besides its message.</summary>
    internal sealed class Facts
    {
        internal static readonly Facts None = new Facts();

        internal int? Status { get; set; }

        internal string? Code { get; set; }

        internal string? RequestId { get; set; }

        internal IReadOnlyList<FieldProblem> Errors { get; set; } = Array.Empty<FieldProblem>();

        internal TimeSpan? RetryAfter { get; set; }

        internal string? HeldId { get; set; }

        internal static Facts OfCode(string? code) => new Facts { Code = code };
    }

    /// <summary>400: the request or a field of it is wrong.</summary>
    public sealed class BadRequestException : SuturaException
    {
        internal BadRequestException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>401: no key, or an unknown, revoked or expired one.</summary>
    public sealed class AuthenticationException : SuturaException
    {
        internal AuthenticationException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>403: the key lacks a scope, or an upload address was changed.</summary>
    public sealed class ScopeException : SuturaException
    {
        internal ScopeException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>404: unknown, or not yours.</summary>
    public sealed class NotFoundException : SuturaException
    {
        internal NotFoundException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>No answer in time, or 408.</summary>
    public sealed class RequestTimeoutException : SuturaException
    {
        internal RequestTimeoutException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>409, for example <c>image.in_use</c>.</summary>
    public sealed class ConflictException : SuturaException
    {
        internal ConflictException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>410: expired or deleted.</summary>
    public sealed class GoneException : SuturaException
    {
        internal GoneException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>412 <c>report.stale</c>: the report has changed since it was read. Read it again, and decide about what it says now.</summary>
    public sealed class PreconditionFailedException : SuturaException
    {
        internal PreconditionFailedException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>413, or a photo over the limit that was not sent at all.</summary>
    public sealed class PayloadTooLargeException : SuturaException
    {
        internal PayloadTooLargeException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>415: the service does not read this type.</summary>
    public sealed class UnsupportedMediaTypeException : SuturaException
    {
        internal UnsupportedMediaTypeException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>422, for example <c>image.unreadable</c>.</summary>
    public sealed class UnprocessableException : SuturaException
    {
        internal UnprocessableException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>428: <c>If-Match</c> did not arrive. This library sends it; a proxy may have taken it away.</summary>
    public sealed class PreconditionRequiredException : SuturaException
    {
        internal PreconditionRequiredException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>429: too many requests.</summary>
    public sealed class RateLimitException : SuturaException
    {
        internal RateLimitException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>429 <c>quota.exceeded</c>: the analyses of the day are used up.</summary>
    public sealed class QuotaExceededException : SuturaException
    {
        internal QuotaExceededException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>5xx.</summary>
    public sealed class ServerException : SuturaException
    {
        internal ServerException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>No answer, or one that broke off. <c>code</c> is <c>ECONNREFUSED</c>, <c>ENOTFOUND</c> or <c>ECONNRESET</c> where it is known.</summary>
    public sealed class NetworkException : SuturaException
    {
        internal NetworkException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>Not what the service promises: often a proxy, or a wrong base URL.</summary>
    public sealed class MalformedResponseException : SuturaException
    {
        internal MalformedResponseException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>Options of the client, or what was given to <c>WebhookVerifier</c>, cannot work.</summary>
    public sealed class ConfigurationException : SuturaException
    {
        internal ConfigurationException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>The file is no JPEG, PNG or WebP; nothing was sent.</summary>
    public sealed class UnsupportedImageException : SuturaException
    {
        internal UnsupportedImageException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>A webhook that was not signed with the secret, or more than five minutes ago: answer 400 and do nothing with it.</summary>
    public sealed class WebhookVerificationException : SuturaException
    {
        internal WebhookVerificationException(string message, Facts facts) : base(message, facts)
        {
        }
    }

    /// <summary>The job ended in <c>error</c>; <c>Code</c> says why.</summary>
    public sealed class JobFailedException : SuturaException
    {
        internal JobFailedException(AnalysisJob job) : base(Sentence(job), Facts.OfCode(job.Error?.Code)) => Job = job;

        /// <summary>The job with its error.</summary>
        public AnalysisJob Job { get; }

        /// <summary>Whether a new job on the same photo may succeed.</summary>
        public bool IsRetryable => Job.Error?.Retryable == true;

        private static string Sentence(AnalysisJob job) =>
            $"{job.Error?.Detail ?? "The analysis ended in error."} ({job.Error?.Code ?? "no code"}, job {job.Id})";
    }

    /// <summary>The job is still running after the time given. It goes on: wait for it again.</summary>
    public sealed class WaitTimeoutException : SuturaException
    {
        internal WaitTimeoutException(string message, AnalysisJob? job) : base(message, Facts.None) => Job = job;

        /// <summary>As last seen; null where it was never seen.</summary>
        public AnalysisJob? Job { get; }
    }
}
