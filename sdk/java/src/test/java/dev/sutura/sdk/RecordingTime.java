package dev.sutura.sdk;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Real time goes on; pauses are written down and take none. */
final class RecordingTime implements Time {
    private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");
    private long startedNanos = System.nanoTime();
    final List<Long> pausesMs = new ArrayList<>();
    private long skippedMs;

    /** The call begins: what a case took to be set up does not count. */
    void begin() {
        startedNanos = System.nanoTime();
    }

    @Override
    public Instant now() {
        return START.plusNanos(System.nanoTime() - startedNanos).plusMillis(skippedMs);
    }

    @Override
    public double random() {
        return ThreadLocalRandom.current().nextDouble();
    }

    @Override
    public void sleep(Duration pause) {
        pausesMs.add(pause.toMillis());
        skippedMs += pause.toMillis();
    }
}
