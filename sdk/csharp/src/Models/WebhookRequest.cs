// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>An address that is to be told of events.</summary>
    public sealed class WebhookRequest
    {
        /// <summary>https; http only within a network that the operator opened for deliveries.</summary>
        [JsonPropertyName("url")]
        public string? Url { get; set; }

        /// <summary>The types of events that are told; empty: all, those of later releases too. One of: analysis.completed,
        /// analysis.failed, report.ready, report.amended, report.reviewed, wound.opened, wound.closed, wound.attention,
        /// quota.threshold, endpoint.disabled, delivery.recovered.</summary>
        [JsonPropertyName("types")]
        public IReadOnlyList<string>? Types { get; set; }

        /// <summary>ids: ids of this service, codes and figures. full: the caller’s own ids, names and clinical text as well. One
        /// of: ids, full.</summary>
        [JsonPropertyName("content")]
        public string? Content { get; set; }

        /// <summary>v1: HMAC-SHA256 with the secret. v1a: ed25519, checked with the public key. One of: v1, v1a.</summary>
        [JsonPropertyName("signatures")]
        public IReadOnlyList<string>? Signatures { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WebhookRequest";
    }
}
