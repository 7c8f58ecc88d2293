// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/** Unknown fields are refused, so that a misspelt one is not silently lost. */
public final class AnalysisJobRequest {
    @JsonProperty("imageId")
    private String imageId;
    @JsonProperty("clinicalContext")
    private String clinicalContext;
    @JsonProperty("subject")
    private JobSubject subject;
    @JsonProperty("capturedAt")
    private String capturedAt;
    @JsonProperty("calibration")
    private Calibration calibration;
    @JsonProperty("clinicianObservations")
    private ClinicianObservations clinicianObservations;
    @JsonProperty("priority")
    private String priority;
    @JsonProperty("metadata")
    private Map<String, String> metadata;

    /** From the answer to the upload-url request. */
    public AnalysisJobRequest imageId(String imageId) {
        this.imageId = imageId;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String imageId() {
        return imageId;
    }

    /** Free clinical text; kept with the job, never logged. */
    public AnalysisJobRequest clinicalContext(String clinicalContext) {
        this.clinicalContext = clinicalContext;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String clinicalContext() {
        return clinicalContext;
    }

    /** Sets subject. */
    public AnalysisJobRequest subject(JobSubject subject) {
        this.subject = subject;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public JobSubject subject() {
        return subject;
    }

    /**
     * When the photo was taken; default: as an earlier analysis of this photo has it, else as its camera says (then
     * the result warns <code>captured_at_from_photo</code>), else now. More than 5 minutes ahead: 422.
     */
    public AnalysisJobRequest capturedAt(String capturedAt) {
        this.capturedAt = capturedAt;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String capturedAt() {
        return capturedAt;
    }

    /** Sets calibration. */
    public AnalysisJobRequest calibration(Calibration calibration) {
        this.calibration = calibration;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Calibration calibration() {
        return calibration;
    }

    /** Sets clinicianObservations. */
    public AnalysisJobRequest clinicianObservations(ClinicianObservations clinicianObservations) {
        this.clinicianObservations = clinicianObservations;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public ClinicianObservations clinicianObservations() {
        return clinicianObservations;
    }

    /** stat goes before routine; default: routine. One of: routine, stat. */
    public AnalysisJobRequest priority(String priority) {
        this.priority = priority;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String priority() {
        return priority;
    }

    /**
     * Up to 16 pairs of your own, given back with the job. In the test environment sandbox asks for an outcome:
     * job_failed, quota_exceeded, needs_review, held:identity_conflict, or slow:1s to slow:600s; in live any is
     * refused, 422.
     */
    public AnalysisJobRequest metadata(Map<String, String> metadata) {
        this.metadata = metadata;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "AnalysisJobRequest[imageId=" + imageId + "]";
    }
}
