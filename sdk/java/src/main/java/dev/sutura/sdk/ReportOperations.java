package dev.sutura.sdk;

import dev.sutura.sdk.model.ClinicalReport;
import dev.sutura.sdk.model.ReviewRequest;
import dev.sutura.sdk.model.WoundDecisionRequest;
import dev.sutura.sdk.model.WoundDetails;
import dev.sutura.sdk.model.WoundMergeRequest;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;

/** Reports, their documents and reviews, and decisions that the service refuses to take twice. */
abstract class ReportOperations extends GeneratedOperations {
    final Downloads downloads;

    ReportOperations(Calls calls) {
        super(calls);
        this.downloads = new Downloads(calls);
    }

    /** A report, by its id or the address in a job's {@code links.report}. */
    public TaggedReport getReport(String reportId) {
        Call call = Call.of("GET", reportPath(reportId)).header("accept", DocumentFormat.JSON.mediaType);
        return calls.send(call, this::tagged);
    }

    private TaggedReport tagged(Answer answer) {
        ClinicalReport report = calls.read(answer, ClinicalReport.class, "id", "version");
        return new TaggedReport(report, answer.headers().firstValue("etag")
            .orElseThrow(() -> calls.connection.malformed(answer)));
    }

    /** Reviews the report that was read; {@link PreconditionFailedException} where it has changed since. */
    public TaggedReport reviewReport(TaggedReport report, ReviewRequest review) {
        return reviewReport(report.id(), report.etag(), review, null);
    }

    /**
     * The same with what was kept of a report.
     *
     * @param etag as {@link #getReport} gave it
     * @param idempotencyKey the same for every repeat of this; null: a new one
     */
    public TaggedReport reviewReport(String reportId, String etag, ReviewRequest review, String idempotencyKey) {
        // If-Match compares strongly (RFC 9110 13.1.1); a proxy that compresses makes the tag weak, but not another one.
        String tag = etag == null ? "" : etag.replaceFirst("^W/", "");
        if (tag.isEmpty()) {
            throw new IllegalArgumentException("etag must be that of the report as getReport returned it.");
        }
        Call call = Call.of("POST", reportPath(reportId) + "/reviews").json(review).key(idempotencyKey)
            .header("if-match", tag);
        return calls.send(call, this::tagged);
    }

    /** A report as a document. */
    public byte[] downloadReport(String reportId, DocumentFormat format, DocumentOptions options) {
        return calls.bytes(document(versionPath(reportId, options), format, options), format.mediaType);
    }

    /** A report as a document in a file, which appears whole or not at all. */
    public SavedFile saveReport(String reportId, Path path, DocumentFormat format, DocumentOptions options) {
        Call call = document(versionPath(reportId, options), format, options);
        return downloads.save(call, path, answer -> calls.ofType(answer, format.mediaType));
    }

    /** The course of a wound as a document. */
    public byte[] downloadWoundReport(String woundId, DocumentFormat format, DocumentOptions options) {
        return calls.bytes(document(woundPath(woundId) + "/report", format, options), format.mediaType);
    }

    /** What is known of a wound for who pays; without a period the last four weeks. */
    public byte[] downloadWoundEvidence(String woundId, DocumentFormat format, DocumentOptions options) {
        return calls.bytes(document(woundPath(woundId) + "/evidence", format, options), format.mediaType);
    }

    private static Call document(String path, DocumentFormat format, DocumentOptions options) {
        return Call.of("GET", path).query(options).header("accept", format.mediaType);
    }

    /** Joins a wound into another. */
    public WoundDetails mergeWound(String woundId, WoundMergeRequest request) {
        return decide("merge", woundId, request, request.into());
    }

    /** Takes a merged wound out again. */
    public WoundDetails unmergeWound(String woundId, WoundDecisionRequest request) {
        return decide("unmerge", woundId, request, null);
    }

    /** A repeat that is refused may only say that an earlier attempt did it, and its answer was lost. */
    private WoundDetails decide(String action, String woundId, Object request, String mergedInto) {
        int[] repeats = {0};
        Call call = Call.of("POST", woundPath(woundId) + "/" + action).json(request);
        Function<Answer, WoundDetails> read = answer -> calls.read(answer, WoundDetails.class, "id", "status");
        call.onAttempt = failures -> repeats[0] = failures;
        try {
            return calls.send(call, read);
        } catch (ConflictException fault) {
            WoundDetails wound = repeats[0] == 0 ? null : getWound(woundId);
            if (wound == null || !Objects.equals(wound.mergedInto(), mergedInto)) {
                throw fault;
            }
            return wound;
        }
    }

    private static String woundPath(String woundId) {
        return "/api/v1/wounds/" + Segment.of("woundId", woundId);
    }

    private static String reportPath(String reportId) {
        return "/api/v1/reports/" + Segment.ofReport(reportId);
    }

    private static String versionPath(String reportId, DocumentOptions options) {
        Long version = options == null ? null : options.version();
        return reportPath(reportId) + (version == null ? "" : "/versions/" + version);
    }
}
