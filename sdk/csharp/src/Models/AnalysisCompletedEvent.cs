// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>An analysis ended with a result.</summary>
    public sealed class AnalysisCompletedEvent
    {
        /// <summary>Type.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>Of the event.</summary>
        [JsonPropertyName("timestamp")]
        public string Timestamp { get; set; } = null!;

        /// <summary>Data.</summary>
        [JsonPropertyName("data")]
        public AnalysisCompletedEventData Data { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AnalysisCompletedEvent";
    }

    /// <summary>AnalysisCompletedEventData.</summary>
    public sealed class AnalysisCompletedEventData
    {
        /// <summary>Rises with every event of the webhook: drop what is older than what you have.</summary>
        [JsonPropertyName("sequence")]
        public long? Sequence { get; set; }

        /// <summary>JobId.</summary>
        [JsonPropertyName("jobId")]
        public string JobId { get; set; } = null!;

        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

        /// <summary>ReportId.</summary>
        [JsonPropertyName("reportId")]
        public string? ReportId { get; set; }

        /// <summary>WoundDetected.</summary>
        [JsonPropertyName("woundDetected")]
        public bool? WoundDetected { get; set; }

        /// <summary>The outcome that metadata.sandbox of the job asked for; absent: none, and in live always.</summary>
        [JsonPropertyName("sandbox")]
        public string? Sandbox { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"AnalysisCompletedEventData[imageId={ImageId}]";
    }
}
