// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.Held;
import dev.sutura.sdk.model.HeldList;
import dev.sutura.sdk.model.HeldResolution;

/** Operations on held. */
abstract class HeldOperations extends FollowUpOperations {
    HeldOperations(Calls calls) {
        super(calls);
    }

    /**
     * What waits for a person
     *
     * @param query which ones; null: all
     */
    public HeldList listHeld(ListHeldQuery query) {
        return calls.json(Call.of("GET", "/api/v1/held").query(query), HeldList.class, "items");
    }

    /** What waits for a person */
    public HeldList listHeld() {
        return listHeld(null);
    }

    /**
     * What waits for a person: every item of all pages, read when needed.
     *
     * @param query which ones; null: all
     */
    public Pages<Held> iterateHeld(ListHeldQuery query) {
        return new Pages<>(cursor -> listHeld(Query.after(query, ListHeldQuery::new, cursor)), HeldList::items, HeldList::nextCursor);
    }

    /** One thing that waits */
    public Held getHeld(String heldId) {
        return calls.json(Call.of("GET", "/api/v1/held/" + Segment.of("heldId", heldId)), Held.class, "id", "reason");
    }

    /** Say what is to be done with it */
    public Held resolveHeld(String heldId, HeldResolution request) {
        return calls.json(Call.of("POST", "/api/v1/held/" + Segment.of("heldId", heldId) + "/resolve").json(request).once(), Held.class, "id", "reason");
    }
}
