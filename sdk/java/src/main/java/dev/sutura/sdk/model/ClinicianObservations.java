// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** Copied to the report, never guessed. */
public final class ClinicianObservations {
    @JsonProperty("depthCm")
    private Double depthCm;
    @JsonProperty("lengthCm")
    private Double lengthCm;
    @JsonProperty("widthCm")
    private Double widthCm;
    @JsonProperty("exudate")
    private String exudate;
    @JsonProperty("exudateType")
    private String exudateType;
    @JsonProperty("odour")
    private String odour;
    @JsonProperty("painNrs")
    private Long painNrs;
    @JsonProperty("undermining")
    private List<Undermining> undermining;
    @JsonProperty("tunnelling")
    private List<Tunnel> tunnelling;
    @JsonProperty("edges")
    private List<String> edges;
    @JsonProperty("periwound")
    private List<String> periwound;
    @JsonProperty("infectionSigns")
    private List<String> infectionSigns;
    @JsonProperty("infectionSignCodes")
    private List<StatedSign> infectionSignCodes;
    @JsonProperty("stage")
    private WoundStage stage;

    /** Sets depthCm. */
    public ClinicianObservations depthCm(double depthCm) {
        this.depthCm = depthCm;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double depthCm() {
        return depthCm;
    }

    /** Head to toe, as measured at the bedside. */
    public ClinicianObservations lengthCm(double lengthCm) {
        this.lengthCm = lengthCm;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double lengthCm() {
        return lengthCm;
    }

    /** Side to side, as measured at the bedside. */
    public ClinicianObservations widthCm(double widthCm) {
        this.widthCm = widthCm;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double widthCm() {
        return widthCm;
    }

    /** One of: none, light, moderate, heavy. */
    public ClinicianObservations exudate(String exudate) {
        this.exudate = exudate;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String exudate() {
        return exudate;
    }

    /** One of: serous, serosanguineous, sanguineous, purulent. */
    public ClinicianObservations exudateType(String exudateType) {
        this.exudateType = exudateType;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String exudateType() {
        return exudateType;
    }

    /** One of: none, faint, moderate, strong. */
    public ClinicianObservations odour(String odour) {
        this.odour = odour;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String odour() {
        return odour;
    }

    /** Numeric rating scale. */
    public ClinicianObservations painNrs(long painNrs) {
        this.painNrs = painNrs;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Long painNrs() {
        return painNrs;
    }

    /** Clock positions as seen by whoever faces the wound; 12 is as a rule towards the head. */
    public ClinicianObservations undermining(List<Undermining> undermining) {
        this.undermining = undermining;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<Undermining> undermining() {
        return undermining;
    }

    /** Clock positions as for undermining. */
    public ClinicianObservations tunnelling(List<Tunnel> tunnelling) {
        this.tunnelling = tunnelling;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<Tunnel> tunnelling() {
        return tunnelling;
    }

    /**
     * One of: attached, not_attached, approximated, distinct, diffuse, rolled, undermined, macerated, callused,
     * fibrotic.
     */
    public ClinicianObservations edges(List<String> edges) {
        this.edges = edges;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<String> edges() {
        return edges;
    }

    /**
     * The skin around the wound. One of: intact, macerated, erythema, oedema, induration, warm, dry, scaly, callus,
     * excoriated, fragile, blistered.
     */
    public ClinicianObservations periwound(List<String> periwound) {
        this.periwound = periwound;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<String> periwound() {
        return periwound;
    }

    /** Signs of infection in the clinician’s own words; no diagnosis is made of them. */
    public ClinicianObservations infectionSigns(List<String> infectionSigns) {
        this.infectionSigns = infectionSigns;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<String> infectionSigns() {
        return infectionSigns;
    }

    /** Signs of infection, each once. */
    public ClinicianObservations infectionSignCodes(List<StatedSign> infectionSignCodes) {
        this.infectionSignCodes = infectionSignCodes;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<StatedSign> infectionSignCodes() {
        return infectionSignCodes;
    }

    /** Sets stage. */
    public ClinicianObservations stage(WoundStage stage) {
        this.stage = stage;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public WoundStage stage() {
        return stage;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ClinicianObservations";
    }
}
