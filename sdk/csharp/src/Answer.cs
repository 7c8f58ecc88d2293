using System;
using System.Collections.Generic;
using System.Net.Http;

namespace Sutura.Sdk
{
    /// <summary>An answer whose body is in memory, or empty where it went to a file.</summary>
    internal sealed class Answer
    {
        internal Answer(int status, IReadOnlyDictionary<string, IReadOnlyList<string>> headers, byte[] body, long sizeBytes) =>
            (Status, Headers, Body, SizeBytes) = (status, headers, body, sizeBytes);

        internal int Status { get; }

        internal IReadOnlyDictionary<string, IReadOnlyList<string>> Headers { get; }

        internal byte[] Body { get; }

        internal long SizeBytes { get; }

        internal string ContentType => Header("content-type") ?? "application/octet-stream";

        internal string? Header(string name) =>
            Headers.TryGetValue(name, out var values) && values.Count > 0 ? values[0] : null;

        internal bool HasType(string mediaType) =>
            string.Equals(ContentType.Split(';')[0].Trim(), mediaType, StringComparison.OrdinalIgnoreCase);

        internal static IReadOnlyDictionary<string, IReadOnlyList<string>> HeadersOf(HttpResponseMessage response)
        {
            var headers = new Dictionary<string, IReadOnlyList<string>>(StringComparer.OrdinalIgnoreCase);
            foreach (var header in response.Headers)
            {
                headers[header.Key] = new List<string>(header.Value);
            }
            foreach (var header in response.Content.Headers)
            {
                headers[header.Key] = new List<string>(header.Value);
            }
            return headers;
        }
    }

    /// <summary>An answer as it came.</summary>
    public sealed class RawAnswer
    {
        internal RawAnswer(Answer answer) => (Status, Headers, Body) = (answer.Status, answer.Headers, answer.Body);

        /// <summary>Below 400: refusals are thrown.</summary>
        public int Status { get; }

        /// <summary>Such as <c>RateLimit</c> and <c>ETag</c>; names in any case.</summary>
        public IReadOnlyDictionary<string, IReadOnlyList<string>> Headers { get; }

        /// <summary>Its bytes.</summary>
        public byte[] Body { get; }

        /// <summary>The body as JSON; null where it is none.</summary>
        public System.Text.Json.JsonElement? Json => JsonText.Read(Body);

        /// <summary>The first header of a name; null where there is none.</summary>
        public string? Header(string name) =>
            Headers.TryGetValue(name, out var values) && values.Count > 0 ? values[0] : null;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"RawAnswer[status={Status}]";
    }
}
