// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * What happened in the last 30 days, oldest first.
 *
 * @param items In the order in which they came into the log, oldest first.
 * @param nextCursor For the next page; null at the end.
 * @param resumeCursor Where to go on: the nextCursor while there is one, then a cursor behind all that the log
 * has. With it nothing comes twice, and nothing that comes into the log is missed, also after the service was
 * restored from a back-up; what was lost with the time since that back-up is not told, and what is done again
 * then may come again, with the id that it had.
 * @param keptSince The log has what happened from then on, but what was erased. A later moment than your since:
 * there may be more that you missed.
 */
public record EventList(
    List<LoggedEvent> items,
    String nextCursor,
    String resumeCursor,
    String keptSince
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "EventList";
    }
}
