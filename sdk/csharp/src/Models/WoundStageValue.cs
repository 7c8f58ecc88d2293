// Generated from docs/openapi.json by "npm run build:sdk:csharp".
namespace Sutura.Sdk.Models
{
    /// <summary>Of pressure injuries 1 to 4 or a word, of Wagner 0 to 5, of the University of Texas 0A to 3D.</summary>
    public static class WoundStageValue
    {
        /// <summary>0</summary>
        public const string _0 = "0";

        /// <summary>1</summary>
        public const string _1 = "1";

        /// <summary>2</summary>
        public const string _2 = "2";

        /// <summary>3</summary>
        public const string _3 = "3";

        /// <summary>4</summary>
        public const string _4 = "4";

        /// <summary>5</summary>
        public const string _5 = "5";

        /// <summary>unstageable</summary>
        public const string Unstageable = "unstageable";

        /// <summary>suspected_deep_tissue_injury</summary>
        public const string SuspectedDeepTissueInjury = "suspected_deep_tissue_injury";

        /// <summary>mucosal</summary>
        public const string Mucosal = "mucosal";

        /// <summary>0A</summary>
        public const string _0A = "0A";

        /// <summary>0B</summary>
        public const string _0B = "0B";

        /// <summary>0C</summary>
        public const string _0C = "0C";

        /// <summary>0D</summary>
        public const string _0D = "0D";

        /// <summary>1A</summary>
        public const string _1A = "1A";

        /// <summary>1B</summary>
        public const string _1B = "1B";

        /// <summary>1C</summary>
        public const string _1C = "1C";

        /// <summary>1D</summary>
        public const string _1D = "1D";

        /// <summary>2A</summary>
        public const string _2A = "2A";

        /// <summary>2B</summary>
        public const string _2B = "2B";

        /// <summary>2C</summary>
        public const string _2C = "2C";

        /// <summary>2D</summary>
        public const string _2D = "2D";

        /// <summary>3A</summary>
        public const string _3A = "3A";

        /// <summary>3B</summary>
        public const string _3B = "3B";

        /// <summary>3C</summary>
        public const string _3C = "3C";

        /// <summary>3D</summary>
        public const string _3D = "3D";
    }
}
