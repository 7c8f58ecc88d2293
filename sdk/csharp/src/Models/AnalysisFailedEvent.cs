// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>An analysis will have no result.</summary>
    public sealed class AnalysisFailedEvent
    {
        /// <summary>Type.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>Of the event.</summary>
        [JsonPropertyName("timestamp")]
        public string Timestamp { get; set; } = null!;

        /// <summary>Data.</summary>
        [JsonPropertyName("data")]
        public AnalysisFailedEventData Data { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AnalysisFailedEvent";
    }

    /// <summary>AnalysisFailedEventData.</summary>
    public sealed class AnalysisFailedEventData
    {
        /// <summary>Rises with every event of the webhook: drop what is older than what you have.</summary>
        [JsonPropertyName("sequence")]
        public long? Sequence { get; set; }

        /// <summary>JobId.</summary>
        [JsonPropertyName("jobId")]
        public string JobId { get; set; } = null!;

        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string? ImageId { get; set; }

        /// <summary>Error.</summary>
        [JsonPropertyName("error")]
        public AnalysisFailedEventDataError Error { get; set; } = null!;

        /// <summary>The outcome that metadata.sandbox of the job asked for; absent: none, and in live always.</summary>
        [JsonPropertyName("sandbox")]
        public string? Sandbox { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"AnalysisFailedEventData[imageId={ImageId}]";
    }

    /// <summary>AnalysisFailedEventDataError.</summary>
    public sealed class AnalysisFailedEventDataError
    {
        /// <summary>Code.</summary>
        [JsonPropertyName("code")]
        public string Code { get; set; } = null!;

        /// <summary>Retryable.</summary>
        [JsonPropertyName("retryable")]
        public bool? Retryable { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AnalysisFailedEventDataError";
    }
}
