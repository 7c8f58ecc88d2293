// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** A person’s decision about a report. The job’s own result stays what the model said. */
public final class ReviewRequest {
    @JsonProperty("decision")
    private String decision;
    @JsonProperty("contour")
    private JsonNode contour;
    @JsonProperty("outlines")
    private List<Long> outlines;
    @JsonProperty("tissue")
    private TissueShares tissue;
    @JsonProperty("calibration")
    private Calibration calibration;
    @JsonProperty("observations")
    private ClinicianObservations observations;
    @JsonProperty("confirmOutline")
    private Boolean confirmOutline;
    @JsonProperty("subject")
    private JobSubject subject;
    @JsonProperty("note")
    private String note;
    @JsonProperty("reviewer")
    private Reviewer reviewer;

    /**
     * accept; reject (entered in error); correct; reassign (the photo is of another patient or wound). One of:
     * accept, reject, correct, reassign.
     */
    public ReviewRequest decision(String decision) {
        this.decision = decision;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String decision() {
        return decision;
    }

    /** With correct: the wound’s outline. */
    public ReviewRequest contour(JsonNode contour) {
        this.contour = contour;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public JsonNode contour() {
        return contour;
    }

    /** With correct: which of the result’s wounds belong, by index. */
    public ReviewRequest outlines(List<Long> outlines) {
        this.outlines = outlines;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<Long> outlines() {
        return outlines;
    }

    /** With correct: what the wound bed consists of. */
    public ReviewRequest tissue(TissueShares tissue) {
        this.tissue = tissue;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public TissueShares tissue() {
        return tissue;
    }

    /**
     * With correct: the scale of the oriented photo, as a person found it by something of known length in it; 0.005
     * to 5. Every figure is measured anew by it, and it stays for later corrections.
     */
    public ReviewRequest calibration(Calibration calibration) {
        this.calibration = calibration;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Calibration calibration() {
        return calibration;
    }

    /**
     * With correct: all that a clinician states of the wound that day, in place of what had been stated; what it
     * leaves out is no longer stated. The former ones stay in the version before.
     */
    public ReviewRequest observations(ClinicianObservations observations) {
        this.observations = observations;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public ClinicianObservations observations() {
        return observations;
    }

    /**
     * With a contour: true where it is meant although it takes in nearly the whole photo, or many times what was
     * outlined; else the answer and the report warn <code>outline_unlikely</code>.
     */
    public ReviewRequest confirmOutline(boolean confirmOutline) {
        this.confirmOutline = confirmOutline;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Boolean confirmOutline() {
        return confirmOutline;
    }

    /** With reassign: whose wound it is. */
    public ReviewRequest subject(JobSubject subject) {
        this.subject = subject;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public JobSubject subject() {
        return subject;
    }

    /** Sets note. */
    public ReviewRequest note(String note) {
        this.note = note;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String note() {
        return note;
    }

    /** Sets reviewer. */
    public ReviewRequest reviewer(Reviewer reviewer) {
        this.reviewer = reviewer;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Reviewer reviewer() {
        return reviewer;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ReviewRequest";
    }

    /**
     * With correct: the scale of the oriented photo, as a person found it by something of known length in it; 0.005
     * to 5. Every figure is measured anew by it, and it stays for later corrections.
     */
    public static final class Calibration {
        @JsonProperty("mmPerPixel")
        private Double mmPerPixel;

        /** Sets mmPerPixel. */
        public Calibration mmPerPixel(double mmPerPixel) {
            this.mmPerPixel = mmPerPixel;
            return this;
        }

        /** As it was set or came; null where it was not. */
        public Double mmPerPixel() {
            return mmPerPixel;
        }

        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Calibration";
        }
    }
}
