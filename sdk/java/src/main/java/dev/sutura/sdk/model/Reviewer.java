// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The person who took a decision. */
public final class Reviewer {
    @JsonProperty("id")
    private String id;
    @JsonProperty("name")
    private String name;
    @JsonProperty("system")
    private String system;

    /** Who decided, as your system knows them. */
    public Reviewer id(String id) {
        this.id = id;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String id() {
        return id;
    }

    /** Sets name. */
    public Reviewer name(String name) {
        this.name = name;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String name() {
        return name;
    }

    /** URI of the numbering that id belongs to. */
    public Reviewer system(String system) {
        this.system = system;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String system() {
        return system;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Reviewer[id=" + id + "]";
    }
}
