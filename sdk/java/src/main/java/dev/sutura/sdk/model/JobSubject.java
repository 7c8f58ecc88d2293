// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which wound of whom, in your own terms. */
public final class JobSubject {
    @JsonProperty("patientId")
    private String patientId;
    @JsonProperty("patientSystem")
    private String patientSystem;
    @JsonProperty("woundId")
    private String woundId;
    @JsonProperty("woundIdSystem")
    private String woundIdSystem;
    @JsonProperty("bodySite")
    private CodedConcept bodySite;
    @JsonProperty("laterality")
    private String laterality;
    @JsonProperty("woundType")
    private CodedConcept woundType;
    @JsonProperty("region")
    private PhotoRegion region;

    /** Your identifier of the patient. */
    public JobSubject patientId(String patientId) {
        this.patientId = patientId;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String patientId() {
        return patientId;
    }

    /** URI of the numbering that patientId belongs to; absent: your own. */
    public JobSubject patientSystem(String patientSystem) {
        this.patientSystem = patientSystem;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String patientSystem() {
        return patientSystem;
    }

    /** Your stable identifier of the wound. */
    public JobSubject woundId(String woundId) {
        this.woundId = woundId;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String woundId() {
        return woundId;
    }

    /** URI of the numbering that woundId belongs to; absent: your own. */
    public JobSubject woundIdSystem(String woundIdSystem) {
        this.woundIdSystem = woundIdSystem;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String woundIdSystem() {
        return woundIdSystem;
    }

    /** Sets bodySite. */
    public JobSubject bodySite(CodedConcept bodySite) {
        this.bodySite = bodySite;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public CodedConcept bodySite() {
        return bodySite;
    }

    /** One of: left, right, midline. */
    public JobSubject laterality(String laterality) {
        this.laterality = laterality;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String laterality() {
        return laterality;
    }

    /** Sets woundType. */
    public JobSubject woundType(CodedConcept woundType) {
        this.woundType = woundType;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public CodedConcept woundType() {
        return woundType;
    }

    /** Sets region. */
    public JobSubject region(PhotoRegion region) {
        this.region = region;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public PhotoRegion region() {
        return region;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "JobSubject";
    }
}
