using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Sutura.Sdk.Tests")]
