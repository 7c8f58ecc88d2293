using System;
using System.Collections.Generic;

namespace Sutura.Sdk
{
    /// <summary>A request to any route of the service.</summary>
    public sealed class RawRequest
    {
        private readonly string method;
        private readonly string path;

        /// <summary><paramref name="path"/> begins with a slash and stands below the base URL: the key goes nowhere else.</summary>
        public RawRequest(string method, string path)
        {
            if (path == null || !path.StartsWith("/", StringComparison.Ordinal) || path.StartsWith("//", StringComparison.Ordinal))
            {
                throw new ArgumentException("The path begins with one slash: the key goes nowhere else.", nameof(path));
            }
            (this.method, this.path) = (method.ToUpperInvariant(), path);
        }

        /// <summary>Parameters; null is left out.</summary>
        public Dictionary<string, string?> Query { get; } = new Dictionary<string, string?>();

        /// <summary>More headers.</summary>
        public Dictionary<string, string> Headers { get; } = new Dictionary<string, string>();

        /// <summary>A body: a type of this library, a dictionary, a <c>JsonElement</c>.</summary>
        public object? Json { get; set; }

        /// <summary>With it a POST is repeated after a lost answer.</summary>
        public string? IdempotencyKey { get; set; }

        /// <summary>In place of the client's.</summary>
        public TimeSpan? Timeout { get; set; }

        /// <summary>Without content.</summary>
        public override string ToString() => "RawRequest";

        internal Call ToCall()
        {
            var pairs = new QueryPairs();
            foreach (var pair in Query)
            {
                pairs.Put(pair.Key, pair.Value);
            }
            var call = Call.Of(method, path + pairs.TextAfter(path)).Header("accept", "application/json");
            foreach (var header in Headers)
            {
                var name = header.Key.ToLowerInvariant();
                if (name == "authorization" || name == "x-api-key")
                {
                    throw new ConfigurationException($"The key is that of the client: give no header {header.Key}.", Facts.None);
                }
                call.Header(name, header.Value);
            }
            if (Json != null)
            {
                call.Json(Json);
            }
            if (IdempotencyKey != null)
            {
                call.Key(IdempotencyKey);
            }
            call.AcceptsRedirects = true;
            call.IsRepeatable = IdempotencyKey != null || !(method == "POST" || method == "PATCH");
            call.Timeout = Timeout;
            return call;
        }
    }
}
