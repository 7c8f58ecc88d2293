package dev.sutura.conformance;

import java.util.LinkedHashMap;
import java.util.Map;

/** Calls by name, each of which is answered as it should be, or says why not. */
final class Calls {
  /** A call, and what it shows of the answer; throws where the answer is not the right one. */
  interface Call {
    Object make() throws Exception;
  }

  private Calls() {}

  static void make(String name, Call call) throws Exception {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("call", name);
    try {
      line.put("answer", String.valueOf(call.make()));
      line.put("ok", true);
    } catch (Exception | AssertionError refused) {
      line.put("ok", false);
      line.put("refused", refused.getClass().getSimpleName() + ": " + refused.getMessage());
    }
    Lines.print(line);
  }

  /** A call that the server has to refuse, in this way. */
  static void refused(String name, Class<? extends Exception> how, Call call) throws Exception {
    make(
        name,
        () -> {
          Object answer;
          try {
            answer = call.make();
          } catch (Exception refusal) {
            if (how.isInstance(refusal)) return refusal.getMessage();
            throw refusal;
          }
          throw new AssertionError("was answered: " + answer);
        });
  }

  static <T> T expect(boolean holds, String what, T answer) {
    if (!holds) throw new AssertionError(what);
    return answer;
  }
}
