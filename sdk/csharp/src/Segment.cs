using System;
using System.Text.RegularExpressions;

namespace Sutura.Sdk
{
    /// <summary>Ids as one segment of a path.</summary>
    internal static class Segment
    {
        private static readonly Regex ReportLink = new Regex(@"^https?://.*/reports/([^/?#]+)\z", RegexOptions.CultureInvariant);

        internal static string Of(string name, string? id)
        {
            // An empty one would lead to another route.
            if (string.IsNullOrEmpty(id) || id == "." || id == "..")
            {
                throw new ArgumentException($"{name} must be an id as the service gave it.", name);
            }
            return Uri.EscapeDataString(id);
        }

        /// <summary>Of a link only the id counts: the key goes nowhere but to the service that the client was made for.</summary>
        internal static string OfReport(string? reportId)
        {
            var link = ReportLink.Match(reportId ?? "");
            return Of(nameof(reportId), link.Success ? link.Groups[1].Value : reportId);
        }
    }
}
