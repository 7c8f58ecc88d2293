// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * A photo that was drawn for tests. Nobody is shown.
 *
 * @param sha256 Hex.
 * @param width Pixels.
 * @param height Pixels.
 * @param drawnAreaCm2 Of the larger wound, as it was drawn; null: none was.
 * @param series Its place in a series; null: it stands alone.
 */
public record Sample(
    String name,
    String shows,
    String contentType,
    Long sizeBytes,
    String sha256,
    Long width,
    Long height,
    Double drawnAreaCm2,
    Series series,
    SampleSeen seen,
    Links links
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Sample";
    }

    /** Series. */
    public record Series(
        String name,
        Long number
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Series";
        }
    }

    /** Links. */
    public record Links(
        String photo
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Links";
        }
    }
}
