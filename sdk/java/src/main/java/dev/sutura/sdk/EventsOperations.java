// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.EventList;
import dev.sutura.sdk.model.LoggedEvent;

/** Operations on events. */
abstract class EventsOperations extends CalibrationOperations {
    EventsOperations(Calls calls) {
        super(calls);
    }

    /**
     * What happened, to catch up from
     *
     * @param query which ones; null: all
     */
    public EventList listEvents(ListEventsQuery query) {
        return calls.json(Call.of("GET", "/api/v1/events").query(query), EventList.class, "items", "keptSince");
    }

    /** What happened, to catch up from */
    public EventList listEvents() {
        return listEvents(null);
    }

    /**
     * What happened, to catch up from: every item of all pages, read when needed.
     *
     * @param query which ones; null: all
     */
    public Pages<LoggedEvent> iterateEvents(ListEventsQuery query) {
        return new Pages<>(cursor -> listEvents(Query.after(query, ListEventsQuery::new, cursor)), EventList::items, EventList::nextCursor);
    }
}
