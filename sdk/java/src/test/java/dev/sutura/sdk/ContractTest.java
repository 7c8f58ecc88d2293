package dev.sutura.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The contract suite (sdk/contract/README.md), case by case; Node.js on the PATH plays the service. */
final class ContractTest {
    private static final Path CONTRACT = Path.of("..", "contract");
    private static Process process;
    private static ScriptedServer server;

    @BeforeAll
    static void start() throws IOException {
        process = new ProcessBuilder("node", CONTRACT.resolve("server.mjs").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        server = new ScriptedServer(Json.MAPPER.readTree(process.inputReader().readLine()));
    }

    /** It lives until its input ends. */
    @AfterAll
    static void stop() throws IOException {
        if (process != null) {
            process.getOutputStream().close();
        }
    }

    @TestFactory
    List<DynamicTest> cases() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : filesIn(CONTRACT.resolve("cases"))) {
            for (JsonNode one : Json.MAPPER.readTree(file.toFile())) {
                String name = file.getFileName().toString().replace(".json", ": ") + one.get("name").asText();
                tests.add(DynamicTest.dynamicTest(name, () -> passes(one)));
            }
        }
        return tests;
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
    }

    private static void passes(JsonNode one) throws Exception {
        try (CaseRun run = new CaseRun(server, one)) {
            assertEquals(List.of(), run.faults());
        }
    }
}
