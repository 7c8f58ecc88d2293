package dev.sutura.conformance;

import java.util.Arrays;
import java.util.List;

/** The commands of this program; each prints one line of JSON a file or call. */
public final class Main {
  private static final String USAGE =
      """
      validate --definitions DIR PATH…   each file (or the files of a folder) by FhirInstanceValidator, offline
      convert json|xml OUT PATH…         each file read by HAPI's strict parser and written in the other format
      snapshots DIR OUT                  the snapshots that HAPI makes of the profiles in DIR
      client BASE KEY PHOTO              the calls of HAPI's client against a running gateway
      """;

  private Main() {}

  public static void main(String[] words) throws Exception {
    if (words.length == 0) usage();
    List<String> rest = Arrays.asList(words).subList(1, words.length);
    switch (words[0]) {
      case "validate" -> Validation.run(rest);
      case "convert" -> Conversion.run(rest);
      case "snapshots" -> Snapshots.run(rest);
      case "client" -> ClientCalls.run(rest);
      default -> usage();
    }
  }

  private static void usage() {
    System.err.print(USAGE);
    System.exit(2);
  }
}
