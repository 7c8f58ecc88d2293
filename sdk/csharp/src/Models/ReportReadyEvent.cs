// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A report has its first version.</summary>
    public sealed class ReportReadyEvent
    {
        /// <summary>Type.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>Of the event.</summary>
        [JsonPropertyName("timestamp")]
        public string Timestamp { get; set; } = null!;

        /// <summary>Data.</summary>
        [JsonPropertyName("data")]
        public ReportReadyEventData Data { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReportReadyEvent";
    }

    /// <summary>ReportReadyEventData.</summary>
    public sealed class ReportReadyEventData
    {
        /// <summary>Rises with every event of the webhook: drop what is older than what you have.</summary>
        [JsonPropertyName("sequence")]
        public long? Sequence { get; set; }

        /// <summary>ReportId.</summary>
        [JsonPropertyName("reportId")]
        public string ReportId { get; set; } = null!;

        /// <summary>JobId.</summary>
        [JsonPropertyName("jobId")]
        public string JobId { get; set; } = null!;

        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

        /// <summary>WoundId.</summary>
        [JsonPropertyName("woundId")]
        public string? WoundId { get; set; }

        /// <summary>Replaces.</summary>
        [JsonPropertyName("replaces")]
        public string? Replaces { get; set; }

        /// <summary>ReplacedBy.</summary>
        [JsonPropertyName("replacedBy")]
        public string? ReplacedBy { get; set; }

        /// <summary>Rises with every version of the report: drop what is older than what you have.</summary>
        [JsonPropertyName("version")]
        public long? Version { get; set; }

        /// <summary>One of: preliminary, final, amended, corrected, entered-in-error.</summary>
        [JsonPropertyName("status")]
        public string Status { get; set; } = null!;

        /// <summary>created, reviewed, recomputed, moved or photo_erased.</summary>
        [JsonPropertyName("reason")]
        public string Reason { get; set; } = null!;

        /// <summary>CapturedAt.</summary>
        [JsonPropertyName("capturedAt")]
        public string? CapturedAt { get; set; }

        /// <summary>capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or year alone, to which
        /// nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.</summary>
        [JsonPropertyName("capturedAsStated")]
        public string? CapturedAsStated { get; set; }

        /// <summary>WoundDetected.</summary>
        [JsonPropertyName("woundDetected")]
        public bool? WoundDetected { get; set; }

        /// <summary>Not to be used before <c>quality</c> and <c>outlineReliable</c> were read.</summary>
        [JsonPropertyName("areaCm2")]
        public MeasuredValue? AreaCm2 { get; set; }

        /// <summary>Of the photo.</summary>
        [JsonPropertyName("quality")]
        public ReportReadyEventDataQuality Quality { get; set; } = null!;

        /// <summary>false: the outline of the model is more likely wrong than right; null: a person drew or confirmed it, nothing
        /// is outlined, or the model does not say.</summary>
        [JsonPropertyName("outlineReliable")]
        public bool? OutlineReliable { get; set; }

        /// <summary>Since the measured photo before; null: there is none.</summary>
        [JsonPropertyName("areaChangePct")]
        public double? AreaChangePct { get; set; }

        /// <summary>Why the two areas are not safely comparable, as <c>warnings</c> of an AreaChange; empty: they are.</summary>
        [JsonPropertyName("areaChangeWarnings")]
        public IReadOnlyList<string> AreaChangeWarnings { get; set; } = null!;

        /// <summary>Why no trend is stated: as <c>noTrendReason</c> of a comparison, or not_comparable (see
        /// <c>areaChangeWarnings</c>); null: one is, or there is nothing to compare with yet.</summary>
        [JsonPropertyName("noTrendReason")]
        public string? NoTrendReason { get; set; }

        /// <summary>Codes of docs/follow-up.md.</summary>
        [JsonPropertyName("flags")]
        public IReadOnlyList<string> Flags { get; set; } = null!;

        /// <summary>site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump, area_implausible, before_birth,
        /// sandbox: a person accepts, corrects, rejects or reassigns it first; empty: does not wait.</summary>
        [JsonPropertyName("attention")]
        public IReadOnlyList<string> Attention { get; set; } = null!;

        /// <summary>UnconfirmedNecrosis.</summary>
        [JsonPropertyName("unconfirmedNecrosis")]
        public UnconfirmedNecrosis? UnconfirmedNecrosis { get; set; }

        /// <summary>The verdict with its reasons in codes (docs/follow-up.md); null in reports by rules 1 to 3.</summary>
        [JsonPropertyName("course")]
        public ReportReadyEventDataCourse? Course { get; set; }

        /// <summary>The treatment since which the area counts anew; absent: none. One of: debridement, graft, surgery.</summary>
        [JsonPropertyName("reset")]
        public string? Reset { get; set; }

        /// <summary>The wound grew together of others (joined), or is a part of one that fell apart (split); absent: neither. One
        /// of: joined, split.</summary>
        [JsonPropertyName("relation")]
        public string? Relation { get; set; }

        /// <summary>One of: accept, reject, correct, reassign.</summary>
        [JsonPropertyName("decision")]
        public string? Decision { get; set; }

        /// <summary>The outcome that metadata.sandbox of the job asked for; absent: none, and in live always.</summary>
        [JsonPropertyName("sandbox")]
        public string? Sandbox { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("patient")]
        public JsonElement? Patient { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("callersWoundId")]
        public string? CallersWoundId { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("callersWoundIdSystem")]
        public string? CallersWoundIdSystem { get; set; }

        /// <summary>With "full": a text that would have made the body too long is left out.</summary>
        [JsonPropertyName("truncated")]
        public bool? Truncated { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("bodySite")]
        public JsonElement? BodySite { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("laterality")]
        public string? Laterality { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("woundType")]
        public JsonElement? WoundType { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("clinicalContext")]
        public string? ClinicalContext { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("clinicianObservations")]
        public JsonElement? ClinicianObservations { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("review")]
        public JsonElement? Review { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"ReportReadyEventData[imageId={ImageId}]";
    }

    /// <summary>Of the photo.</summary>
    public sealed class ReportReadyEventDataQuality
    {
        /// <summary>false: another photo should be taken; this one was measured all the same.</summary>
        [JsonPropertyName("acceptable")]
        public bool? Acceptable { get; set; }

        /// <summary>As <c>quality.warnings</c> of a result.</summary>
        [JsonPropertyName("warnings")]
        public IReadOnlyList<string> Warnings { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReportReadyEventDataQuality";
    }

    /// <summary>ReportReadyEventDataCourse.</summary>
    public sealed class ReportReadyEventDataCourse
    {
        /// <summary>One of: improving, unchanged, worsening, mixed, closed, ended, reopened, unknown.</summary>
        [JsonPropertyName("verdict")]
        public string Verdict { get; set; } = null!;

        /// <summary>Since.</summary>
        [JsonPropertyName("since")]
        public string Since { get; set; } = null!;

        /// <summary>Because.</summary>
        [JsonPropertyName("because")]
        public IReadOnlyList<ReportReadyEventDataCourseBecause> Because { get; set; } = null!;

        /// <summary>WaitsFor.</summary>
        [JsonPropertyName("waitsFor")]
        public IReadOnlyList<string> WaitsFor { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReportReadyEventDataCourse";
    }

    /// <summary>ReportReadyEventDataCourseBecause.</summary>
    public sealed class ReportReadyEventDataCourseBecause
    {
        /// <summary>Domain.</summary>
        [JsonPropertyName("domain")]
        public string Domain { get; set; } = null!;

        /// <summary>What.</summary>
        [JsonPropertyName("what")]
        public string What { get; set; } = null!;

        /// <summary>One of: better, worse, persists, reset.</summary>
        [JsonPropertyName("direction")]
        public string Direction { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReportReadyEventDataCourseBecause";
    }
}
