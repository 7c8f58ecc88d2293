// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A code from a terminology. */
public final class CodedConcept {
    @JsonProperty("system")
    private String system;
    @JsonProperty("code")
    private String code;
    @JsonProperty("display")
    private String display;

    /** URI of the code system, for example http://snomed.info/sct. */
    public CodedConcept system(String system) {
        this.system = system;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String system() {
        return system;
    }

    /** Sets code. */
    public CodedConcept code(String code) {
        this.code = code;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String code() {
        return code;
    }

    /** Sets display. */
    public CodedConcept display(String display) {
        this.display = display;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String display() {
        return display;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "CodedConcept";
    }
}
