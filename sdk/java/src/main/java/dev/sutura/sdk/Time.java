package dev.sutura.sdk;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/** Clock, chance and sleep; tests have their own. */
interface Time {
    Time REAL = new Time() {
        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public double random() {
            return ThreadLocalRandom.current().nextDouble();
        }

        @Override
        public void sleep(Duration pause) throws InterruptedException {
            Thread.sleep(pause.toMillis());
        }
    };

    Instant now();

    /** From 0, below 1. */
    double random();

    void sleep(Duration pause) throws InterruptedException;

    /** Sleeps, or ends the call where its thread is interrupted. */
    default void pause(Duration pause) {
        try {
            sleep(pause);
        } catch (InterruptedException fault) {
            throw Watch.interrupted();
        }
    }
}
