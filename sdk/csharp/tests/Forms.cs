using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Sutura.Sdk.Tests
{
    /// <summary>What came out of a call, as the cases write it.</summary>
    internal static class Forms
    {
        internal static JsonElement Of(object? value) => ScriptedServer.Parse(
            value == null ? "null" : JsonSerializer.Serialize(value, value.GetType()));

        internal static JsonElement OfValue(object? value, JsonElement wanted)
        {
            var form = value switch
            {
                TaggedReport report => WithTag(report),
                RawAnswer answer => Of(new Dictionary<string, object?>
                {
                    ["status"] = answer.Status,
                    ["requestId"] = answer.Header("x-request-id"),
                    ["headers"] = answer.Headers.ToDictionary(one => one.Key.ToLowerInvariant(), one => string.Join(", ", one.Value)),
                }),
                SavedFile file => Of(new Dictionary<string, object> { ["contentType"] = file.ContentType, ["sizeBytes"] = file.SizeBytes }),
                UploadReceipt receipt => Of(new Dictionary<string, object?> { ["etag"] = receipt.ETag, ["sizeBytes"] = receipt.SizeBytes }),
                _ => Of(value),
            };
            // The other libraries give some lists without what is around them.
            if (wanted.ValueKind != JsonValueKind.Object && wanted.ValueKind != JsonValueKind.Null && form.ValueKind == JsonValueKind.Object)
            {
                return form.TryGetProperty("items", out var items) ? items : form.GetProperty("replayed");
            }
            return form;
        }

        private static JsonElement WithTag(TaggedReport report)
        {
            var fields = Of(report.Report).EnumerateObject().ToDictionary(one => one.Name, one => one.Value);
            fields["etag"] = Of(report.ETag);
            return Of(fields);
        }

        internal static JsonElement OfError(Exception error)
        {
            var form = new Dictionary<string, object?>();
            if (error is SuturaException own)
            {
                form["status"] = own.Status;
                form["code"] = own.Code;
                form["requestId"] = own.RequestId;
                form["heldId"] = own.HeldId;
                form["errors"] = own.Errors.Select(one => new Dictionary<string, string> { ["pointer"] = one.Pointer, ["detail"] = one.Detail });
                form["retryAfterMs"] = own.RetryAfter?.TotalMilliseconds;
            }
            if (error is JobFailedException failed)
            {
                form["retryable"] = failed.IsRetryable;
                form["job"] = failed.Job;
            }
            if (error is WaitTimeoutException late)
            {
                form["job"] = late.Job;
            }
            return Of(form);
        }
    }
}
