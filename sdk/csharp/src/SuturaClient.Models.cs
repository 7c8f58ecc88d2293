// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>List the models of this installation</summary>
        public Task<ModelList> ListModelsAsync(CancellationToken cancellationToken = default) =>
            calls.JsonAsync<ModelList>(Call.Of("GET", "/api/v1/models"), cancellationToken, "items");
    }
}
