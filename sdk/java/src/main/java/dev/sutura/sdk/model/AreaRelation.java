// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * What grew together or fell apart, by which the area counts anew; absent: nothing.
 *
 * @param kind joined or split.
 * @param wounds joined: those that grew together; split: the one that it was part of.
 * @param change On the first area after it: from the sum of what grew together, or from the wound before to the
 * sum of its parts; else null.
 * @param sumOf What is added up for that change.
 * @param areaCm2 What that change is to.
 * @param beforeReportId What that change is from.
 * @param before On the first area after it, for its curve: the sums of what grew together, or the areas of the
 * wound that it was part of under another number; the first of all and the newest, 52 at most; absent elsewhere.
 * @param together Of a split all parts together on the first area after it; absent where they are not all known.
 */
public record AreaRelation(
    String kind,
    String at,
    List<String> wounds,
    AreaChange change,
    List<SumOf> sumOf,
    Double areaCm2,
    String beforeReportId,
    List<RelatedArea> before,
    RelatedArea together
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "AreaRelation";
    }

    /** SumOf. */
    public record SumOf(
        String woundRef,
        String reportId,
        Double areaCm2
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "SumOf[reportId=" + reportId + "]";
        }
    }
}
