package dev.sutura.sdk;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** A photo on its way: counts what has been sent. */
final class PhotoBody implements BodyPublisher {
    private final BodyPublisher bytes;
    private final Photo photo;
    private final UploadProgress progress;
    private final Runnable moved;
    private volatile RuntimeException fault;

    PhotoBody(Photo photo, UploadProgress progress, Runnable moved) {
        this.photo = photo;
        this.bytes = photo.publisher();
        this.progress = progress;
        this.moved = moved;
    }

    @Override
    public long contentLength() {
        return photo.sizeBytes();
    }

    /** What the caller's own method threw; null where it threw nothing. */
    RuntimeException fault() {
        return fault;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        bytes.subscribe(new Counter(subscriber));
    }

    private final class Counter implements Flow.Subscriber<ByteBuffer> {
        private final Flow.Subscriber<? super ByteBuffer> next;
        private Flow.Subscription subscription;
        private long sentBytes;

        Counter(Flow.Subscriber<? super ByteBuffer> next) {
            this.next = next;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            next.onSubscribe(given);
        }

        @Override
        public void onNext(ByteBuffer piece) {
            moved.run();
            sentBytes += piece.remaining();
            try {
                if (progress != null) {
                    progress.sent(sentBytes, photo.sizeBytes());
                }
            } catch (RuntimeException own) {
                fault = own;
                subscription.cancel();
                next.onError(own);
                return;
            }
            next.onNext(piece);
        }

        @Override
        public void onError(Throwable error) {
            next.onError(error);
        }

        @Override
        public void onComplete() {
            next.onComplete();
        }
    }
}
