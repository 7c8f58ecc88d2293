// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Better or worse, from all that is known: decision support, not a diagnosis.
 *
 * @param verdict improving, unchanged, worsening, mixed, closed (healed), ended, reopened or unknown.
 * @param since The first photo of this unbroken verdict; of closed, ended and reopened when it was decided.
 * @param because Worse first.
 * @param waitsFor What a person has to say first: a reason of attention, or of noTrendReason; empty: nothing.
 */
public record Course(
    String verdict,
    String since,
    List<CourseReason> because,
    List<String> waitsFor
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Course";
    }
}
