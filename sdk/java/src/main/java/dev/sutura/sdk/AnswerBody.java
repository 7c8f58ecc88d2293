package dev.sutura.sdk;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Takes a body while it arrives, into memory or a file. */
final class AnswerBody implements BodySubscriber<AnswerBody> {
    private final CompletableFuture<AnswerBody> done = new CompletableFuture<>();
    private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private final FileSink sink;
    private final Runnable moved;
    private Flow.Subscription subscription;
    private FileChannel channel;
    private long sizeBytes;

    AnswerBody(FileSink sink, Runnable moved) {
        this.sink = sink;
        this.moved = moved;
    }

    @Override
    public CompletionStage<AnswerBody> getBody() {
        return done;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        try {
            if (sink != null) {
                channel = sink.begin();
            }
            given.request(Long.MAX_VALUE);
        } catch (IOException fault) {
            fail(fault);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        moved.run();
        try {
            for (ByteBuffer buffer : buffers) {
                sizeBytes += buffer.remaining();
                take(buffer);
            }
        } catch (IOException fault) {
            fail(fault);
        }
    }

    private void take(ByteBuffer buffer) throws IOException {
        if (sink != null) {
            sink.write(channel, buffer);
            return;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        memory.writeBytes(bytes);
    }

    private void fail(IOException fault) {
        subscription.cancel();
        done.completeExceptionally(fault);
    }

    @Override
    public void onError(Throwable fault) {
        done.completeExceptionally(fault);
    }

    @Override
    public void onComplete() {
        done.complete(this);
    }

    byte[] bytes() {
        return memory.toByteArray();
    }

    long sizeBytes() {
        return sizeBytes;
    }
}
