// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>An address that is told of events.</summary>
    public sealed class Webhook
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>Url.</summary>
        [JsonPropertyName("url")]
        public string Url { get; set; } = null!;

        /// <summary>The types of events that are told; empty: all, those of later releases too. One of: analysis.completed,
        /// analysis.failed, report.ready, report.amended, report.reviewed, wound.opened, wound.closed, wound.attention,
        /// quota.threshold, endpoint.disabled, delivery.recovered.</summary>
        [JsonPropertyName("types")]
        public IReadOnlyList<string> Types { get; set; } = null!;

        /// <summary>ids: ids of this service, codes and figures. full: the caller’s own ids, names and clinical text as well. One
        /// of: ids, full.</summary>
        [JsonPropertyName("content")]
        public string Content { get; set; } = null!;

        /// <summary>v1: HMAC-SHA256 with the secret. v1a: ed25519, checked with the public key. One of: v1, v1a.</summary>
        [JsonPropertyName("signatures")]
        public IReadOnlyList<string> Signatures { get; set; } = null!;

        /// <summary>paused: by its owner; disabled: by the service. Deliveries are made and wait until it is resumed. One of:
        /// active, paused, disabled.</summary>
        [JsonPropertyName("state")]
        public string State { get; set; } = null!;

        /// <summary>DisabledAt.</summary>
        [JsonPropertyName("disabledAt")]
        public string? DisabledAt { get; set; }

        /// <summary>gone: answered 410; failing: five days of failures. One of: gone, failing.</summary>
        [JsonPropertyName("disabledFor")]
        public string? DisabledFor { get; set; }

        /// <summary>The first failure since the last delivery.</summary>
        [JsonPropertyName("failingSince")]
        public string? FailingSince { get; set; }

        /// <summary>Of v1a, as whpk_ and base64.</summary>
        [JsonPropertyName("publicKey")]
        public string PublicKey { get; set; } = null!;

        /// <summary>The keys before the last rotation sign until then.</summary>
        [JsonPropertyName("previousKeysUntil")]
        public string? PreviousKeysUntil { get; set; }

        /// <summary>CreatedAt.</summary>
        [JsonPropertyName("createdAt")]
        public string CreatedAt { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"Webhook[id={Id}]";
    }
}
