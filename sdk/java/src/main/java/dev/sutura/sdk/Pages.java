package dev.sutura.sdk;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Every item of all pages of a list. A page is read when its first item is wanted; each loop begins anew. */
public final class Pages<T> implements Iterable<T> {
    private final Function<String, Page<T>> read;

    <P> Pages(Function<String, P> read, Function<P, List<T>> items, Function<P, String> nextCursor) {
        this.read = cursor -> {
            P page = read.apply(cursor);
            return new Page<>(items.apply(page), nextCursor.apply(page));
        };
    }

    private record Page<T>(List<T> items, String nextCursor) {
    }

    @Override
    public Iterator<T> iterator() {
        return new Walk();
    }

    /** The same as a stream. */
    public Stream<T> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    private final class Walk implements Iterator<T> {
        private Page<T> page;
        private Iterator<T> items;

        @Override
        public boolean hasNext() {
            if (page == null) {
                turn(null);
            }
            while (!items.hasNext() && page.nextCursor() != null) {
                turn(page.nextCursor());
            }
            return items.hasNext();
        }

        private void turn(String cursor) {
            page = read.apply(cursor);
            items = page.items().iterator();
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return items.next();
        }
    }
}
