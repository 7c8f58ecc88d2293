// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** A link to the review desk. */
public final class ReviewLinkRequest {
    @JsonProperty("mode")
    private String mode;
    @JsonProperty("of")
    private String of;
    @JsonProperty("reports")
    private List<String> reports;
    @JsonProperty("minutes")
    private Long minutes;
    @JsonProperty("frameOrigin")
    private String frameOrigin;
    @JsonProperty("person")
    private Person person;
    @JsonProperty("language")
    private String language;

    /** read: the desk shows; review: it takes decisions, too (analysis:review). One of: read, review. */
    public ReviewLinkRequest mode(String mode) {
        this.mode = mode;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String mode() {
        return mode;
    }

    /**
     * report: this one; wound: all reports of its wound; list: this one and those of reports, one after the other.
     * One of: report, wound, list.
     */
    public ReviewLinkRequest of(String of) {
        this.of = of;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String of() {
        return of;
    }

    /** With list: the reports behind this one, in the order in which they are gone through; of any patients. */
    public ReviewLinkRequest reports(List<String> reports) {
        this.reports = reports;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<String> reports() {
        return reports;
    }

    /** Until link and desk end. */
    public ReviewLinkRequest minutes(long minutes) {
        this.minutes = minutes;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Long minutes() {
        return minutes;
    }

    /** Of your page that shows the desk in a frame; one that the organization allowed. Absent: no frame. */
    public ReviewLinkRequest frameOrigin(String frameOrigin) {
        this.frameOrigin = frameOrigin;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String frameOrigin() {
        return frameOrigin;
    }

    /**
     * Who decides there, and signs as that; the key must be allowed to name persons. Absent: the person of
     * X-Sutura-User, whose name is typed at the desk.
     */
    public ReviewLinkRequest person(Person person) {
        this.person = person;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Person person() {
        return person;
    }

    /** Of the desk; absent: as the browser asks. One of: en, es, de, fr. */
    public ReviewLinkRequest language(String language) {
        this.language = language;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String language() {
        return language;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ReviewLinkRequest";
    }

    /**
     * Who decides there, and signs as that; the key must be allowed to name persons. Absent: the person of
     * X-Sutura-User, whose name is typed at the desk.
     */
    public static final class Person {
        @JsonProperty("id")
        private String id;
        @JsonProperty("name")
        private String name;
        @JsonProperty("system")
        private String system;

        /** Sets id. */
        public Person id(String id) {
            this.id = id;
            return this;
        }

        /** As it was set or came; null where it was not. */
        public String id() {
            return id;
        }

        /** Sets name. */
        public Person name(String name) {
            this.name = name;
            return this;
        }

        /** As it was set or came; null where it was not. */
        public String name() {
            return name;
        }

        /** URI of the numbering that id belongs to; it tells people of two record systems apart. */
        public Person system(String system) {
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
            return "Person[id=" + id + "]";
        }
    }
}
