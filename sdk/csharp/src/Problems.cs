using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Sutura.Sdk
{
    /// <summary>Exceptions of answers that refuse.</summary>
    internal static class Problems
    {
        /// <summary>What an answer says of itself outside its body.</summary>
        internal static Facts FactsOf(Answer answer, DateTimeOffset now) => new Facts
        {
            Status = answer.Status,
            RequestId = answer.Header("x-request-id"),
            RetryAfter = ReadRetryAfter(answer.Header("retry-after"), now),
        };

        /// <summary><c>Retry-After</c> in its two forms (RFC 9110 10.2.3); null where it is neither.</summary>
        private static TimeSpan? ReadRetryAfter(string? text, DateTimeOffset now)
        {
            var value = (text ?? "").Trim();
            if (Regex.IsMatch(value, @"^[0-9]{1,9}\z"))
            {
                return TimeSpan.FromSeconds(long.Parse(value, CultureInfo.InvariantCulture));
            }
            if (!DateTimeOffset.TryParseExact(value, "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var at))
            {
                return null;
            }
            return at > now ? at - now : TimeSpan.Zero;
        }

        /// <summary>A body that is no problem description (a page of a proxy) is not shown.</summary>
        internal static SuturaException Of(Answer answer, DateTimeOffset now)
        {
            var problem = JsonText.Read(answer.Body);
            var facts = FactsOf(answer, now);
            facts.Code = TextOf(problem, "code");
            facts.RequestId = TextOf(problem, "requestId") ?? facts.RequestId;
            facts.Errors = FieldsOf(problem);
            facts.HeldId = TextOf(problem, "heldId");
            if (answer.Status >= 300 && answer.Status < 400)
            {
                return new MalformedResponseException(
                    $"The service answered {answer.Status}, a redirect, which was not followed. Set the base URL to where it leads.", facts);
            }
            var said = TextOf(problem, "detail") ?? TextOf(problem, "title")
                ?? $"The answer is {answer.Status} without a description. Does the base URL lead to Sutura?";
            return Named($"{said}{Describe(facts.Errors, said)} ({Describe(facts)})", facts);
        }

        private static SuturaException Named(string message, Facts facts)
        {
            if (facts.Code == "quota.exceeded")
            {
                return new QuotaExceededException(message, facts);
            }
            return facts.Status switch
            {
                400 => new BadRequestException(message, facts),
                401 => new AuthenticationException(message, facts),
                403 => new ScopeException(message, facts),
                404 => new NotFoundException(message, facts),
                408 => new RequestTimeoutException(message, facts),
                409 => new ConflictException(message, facts),
                410 => new GoneException(message, facts),
                412 => new PreconditionFailedException(message, facts),
                413 => new PayloadTooLargeException(message, facts),
                415 => new UnsupportedMediaTypeException(message, facts),
                422 => new UnprocessableException(message, facts),
                428 => new PreconditionRequiredException(message, facts),
                429 => new RateLimitException(message, facts),
                _ when facts.Status >= 500 => new ServerException(message, facts),
                _ => new SuturaException(message, facts),
            };
        }

        private static string? TextOf(JsonElement? problem, string name)
        {
            if (problem is JsonElement known && known.ValueKind == JsonValueKind.Object
                && known.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String)
            {
                var text = value.GetString();
                return string.IsNullOrEmpty(text) ? null : text;
            }
            return null;
        }

        private static IReadOnlyList<FieldProblem> FieldsOf(JsonElement? problem)
        {
            var fields = new List<FieldProblem>();
            if (problem is JsonElement known && known.ValueKind == JsonValueKind.Object
                && known.TryGetProperty("errors", out var errors) && errors.ValueKind == JsonValueKind.Array)
            {
                foreach (var field in errors.EnumerateArray())
                {
                    if (TextOf(field, "pointer") is string pointer && TextOf(field, "detail") is string detail)
                    {
                        fields.Add(new FieldProblem(pointer, detail));
                    }
                }
            }
            return fields;
        }

        /// <summary>Without those that say what was said.</summary>
        private static string Describe(IReadOnlyList<FieldProblem> fields, string said) => string.Concat(
            fields.Where(field => field.Detail != said).Select(field => $" {field.Pointer}: {Regex.Replace(field.Detail, @"[.]\z", "")}."));

        private static string Describe(Facts facts) =>
            facts.Status + (facts.Code == null ? "" : $" {facts.Code}")
            + (facts.HeldId == null ? "" : $", held as {facts.HeldId}")
            + (facts.RequestId == null ? "" : $", request {facts.RequestId}");
    }
}
