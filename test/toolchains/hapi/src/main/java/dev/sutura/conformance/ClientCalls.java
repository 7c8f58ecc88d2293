package dev.sutura.conformance;

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.rest.api.EncodingEnum;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.rest.client.interceptor.BearerTokenAuthInterceptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The calls of HAPI's client, in JSON and then in XML, for patients of their own. */
final class ClientCalls {
  private ClientCalls() {}

  static void run(List<String> words) throws Exception {
    byte[] photo = Files.readAllBytes(Path.of(words.get(2)));
    for (EncodingEnum encoding : List.of(EncodingEnum.JSON, EncodingEnum.XML)) {
      Session session = new Session(client(words.get(0), words.get(1), encoding), encoding.name().toLowerCase(), photo);
      RecordCalls.make(session);
      SearchCalls.make(session);
      AnalysisCalls.make(session);
      ChangeCalls.make(session);
      EndCalls.make(session);
    }
  }

  private static IGenericClient client(String base, String key, EncodingEnum encoding) {
    FhirContext context = FhirContext.forR4();
    context.getRestfulClientFactory().setSocketTimeout(60_000);
    IGenericClient client = context.newRestfulGenericClient(base);
    client.registerInterceptor(new BearerTokenAuthInterceptor(key));
    client.setEncoding(encoding);
    return client;
  }
}
