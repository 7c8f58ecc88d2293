using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;

namespace Sutura.Sdk.Tests
{
    /// <summary>What a test of this library runs: <c>contract SERVER-LINE FOLDER-OF-CASES [PART-OF-A-NAME]</c>,
    /// <c>webhooks FILE-OF-VECTORS</c>, <c>flow URL KEY PHOTO FOLDER</c>. Contract and webhooks print a line of JSON for each case.</summary>
    internal static class Program
    {
        internal static async Task<int> Main(string[] words)
        {
            switch (words[0])
            {
                case "contract":
                    await ContractAsync(words[1], words[2], words.Length > 3 ? words[3] : "");
                    return 0;
                case "webhooks":
                    foreach (var (name, faults) in WebhookChecks.Run(words[1]))
                    {
                        Print(name, faults);
                    }
                    return 0;
                case "flow":
                    await new FlowChecks(words[1], words[2]).RunAsync(words[3], words[4]);
                    Console.WriteLine("all hold");
                    return 0;
                default:
                    return 2;
            }
        }

        private static async Task ContractAsync(string line, string folder, string part)
        {
            var server = new ScriptedServer(line);
            foreach (var file in Directory.GetFiles(folder, "*.json").OrderBy(one => one, StringComparer.Ordinal))
            {
                using var cases = JsonDocument.Parse(File.ReadAllBytes(file));
                foreach (var one in cases.RootElement.EnumerateArray())
                {
                    var name = $"{Path.GetFileNameWithoutExtension(file)}: {one.GetProperty("name").GetString()}";
                    if (name.Contains(part, StringComparison.Ordinal))
                    {
                        Print(name, await FaultsOfAsync(server, one));
                    }
                }
            }
        }

        private static async Task<List<string>> FaultsOfAsync(ScriptedServer server, JsonElement one)
        {
            try
            {
                using var run = await CaseRun.BeginAsync(server, one);
                return await run.FaultsAsync();
            }
            catch (Exception fault)
            {
                return new List<string> { $"the runner failed: {fault}" };
            }
        }

        private static void Print(string name, IReadOnlyList<string> faults) =>
            Console.WriteLine(JsonSerializer.Serialize(new Dictionary<string, object> { ["name"] = name, ["faults"] = faults }));
    }
}
