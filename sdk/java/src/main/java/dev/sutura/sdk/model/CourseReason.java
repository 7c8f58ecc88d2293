// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * One finding that the verdict rests on.
 *
 * @param domain area, depth, undermining, tunnelling, tissue, exudate, odour, pain, periwound, edges, infection
 * or stage; more may come.
 * @param what What changed within its domain; docs/follow-up.md lists the codes.
 * @param direction better, worse, persists: no wound that has it is improving; or reset: a treatment, a joining
 * or a splitting changed it.
 * @param from A figure in <code>unit</code>, or a word of the contract; null: not stated then.
 * @param to As <code>from</code>.
 * @param unit cm2, cm, percent, of_ten or count; null: words of the contract.
 * @param days 0: nothing is compared.
 * @param interval Of the change of the area in %, by slope in % a week (90 %).
 * @param signs Of coded signs of infection: those that are there.
 */
public record CourseReason(
    String domain,
    String what,
    String direction,
    JsonNode from,
    JsonNode to,
    String unit,
    Double days,
    Interval interval,
    String comparedWithReportId,
    List<String> signs
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "CourseReason";
    }

    /** Interval. */
    public record Interval(
        Double lower,
        Double upper
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Interval";
        }
    }
}
