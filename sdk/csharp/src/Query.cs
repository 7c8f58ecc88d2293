using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Sutura.Sdk
{
    /// <summary>Which items of a list are wanted.</summary>
    public abstract class Query
    {
        private protected Query()
        {
        }

        internal abstract void Fill(QueryPairs pairs);

        /// <summary>Without content: a query may hold a patient's number.</summary>
        public override string ToString() => GetType().Name;
    }

    /// <summary>The parameters of a request, in order; what is null is left out.</summary>
    internal sealed class QueryPairs
    {
        private readonly List<KeyValuePair<string, string>> pairs = new List<KeyValuePair<string, string>>();

        internal static QueryPairs Of(Query? query)
        {
            var made = new QueryPairs();
            query?.Fill(made);
            return made;
        }

        internal void Put(string name, string? value)
        {
            if (value != null)
            {
                pairs.RemoveAll(one => one.Key == name);
                pairs.Add(new KeyValuePair<string, string>(name, value));
            }
        }

        internal void Put(string name, long? value) => Put(name, value?.ToString(CultureInfo.InvariantCulture));

        internal void Put(string name, bool? value) => Put(name, value == null ? null : value.Value ? "true" : "false");

        internal void PutAll(string name, IReadOnlyDictionary<string, string> values)
        {
            foreach (var pair in values)
            {
                Put($"{name}.{pair.Key}", pair.Value);
            }
        }

        /// <summary>To be added to a path.</summary>
        internal string TextAfter(string path)
        {
            var text = string.Join("&", pairs.Select(one => $"{Uri.EscapeDataString(one.Key)}={Uri.EscapeDataString(one.Value)}"));
            return text == "" ? "" : (path.Contains('?') ? "&" : "?") + text;
        }
    }
}
