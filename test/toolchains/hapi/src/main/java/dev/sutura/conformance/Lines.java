package dev.sutura.conformance;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One line of JSON at a time on the standard output. */
final class Lines {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private Lines() {}

  static void print(Map<String, Object> line) throws Exception {
    OUT.println(MAPPER.writeValueAsString(line));
  }
}
