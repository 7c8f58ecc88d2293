/**
 * Words that class names may have without a line in docs/glossary.md: standard terms keep the meaning that their
 * standard gives them, and plain English needs none. A word that means something of its own here belongs there.
 */
export const PLAIN_WORDS = {
  nestAndPatterns: `adapter api app catalogue cli client command composition consumer context controller core database
    directory document domain factory filter gateway guard handler http listener logger mapper metric middleware model
    module observer option outbox parameter pipe pipeline platform port processor provider queue reader registry
    repository resource route router runtime schema server service session setting source store supervisor timer tls
    lock transaction validator worker writer zod`,
  products: `aruco bull cv docs jpeg local onnx opencv pdf postgres postmaster s3 sharp sql typeorm uuid`,
  http: `accept address argon2 assertion assertions authenticator authorization discovery body browser byte configuration content cookie credential etag exchange get grant granted header host id
    idempotency idempotent identity json link login media oidc page password patch permission precondition preference public put range
    representation request response retirement secret signature throttle token totp url usage v1 v7 version xml namespace`,
  fhir: `add admit attest binary birth bundle canonical channel clinical clinician code concept condition constraint date definition
    delete deleted deleting deletion deletions
    element entry everything extension fhir history identifier include interaction interval issue lastn library literal
    meta metadata narrative number observation operation outcome period person presented profile quantity query r4 reference
    repetition search searchset slicing smart structure subscription task term timeline topic type validate`,
  hl7: `receipt acceptance enhanced mode original ack acknowledgment authority batch component delimiter encapsulated envelope er7 field frame hl7 inbound merge
    visit message mllp order outbound protocol reply segment sequence`,
  imagingAndModels: `analysis area bar camera blob box confusion coordinate crop dice dictionary exif extent fit grey label layer lightness map margin
    bits huffman mark marker manifest mask mat measurement origin outline overlap overlay pixel polygon pointer prediction probability quality
    push raster rgb rotation sample sampler scale size tensor threshold tile truth uncertainty vector`,
  openTelemetry: `exporter span`,
  operations: `mistyped access account admin audit backup base binaries certificate cluster connection demo drain erasure error export missing
    failure fault fetch file folder health limit log notification operator outage pause pool pressure quota rate
    readiness refusal transient restore retry rules schedule slot space storage sync tenancy usage window`,
  documents: `archive block bucket caption chart chunk heading conclusion description detail flow form format legend paragraph pen section style
    summary table text trend tree`,
  units: `cm cm2 mm ms`,
  people: `actor caller follower maker operator owner patient receiver reviewer user`,
  wounds: `tunnel undermining`,
  nouns: `rise rises act socket action advice age application attempt background bin break business cache call cancellation capture case
    change check child class clock colour column comparison completion concern concurrency confidence control copy criteria count
    correction creation data day decision digest encryption end ending estimate evaluation evidence format foundation
    group handle head index info input insert item job key kind lab length level line list lookup loop match measure misuse moment
    answer asker assembly cached facility knowledge learned learning numbering proposal separate unknown unsure attachment backfill backlog band budget cursor curve draft dry eraser event fact figure fragment
    grid heartbeat no probe question register renewal retention rights root run sender submission trail transport trial view webhook
    name node object occasion output pair part path pattern phase piece position problem process reading reason record recurring
    policy character region removal rendering resolution row rule runner scan score selection set setup shape share silence sort space
    speed state statement step stop string supervision system target test time timeout timing trace traffic turn unit upload value
    thing trust patience necrosis walk watch weight work write`,
  agents: `analyser batcher builder compiler composer decoder detector encoder finder follower indexer inspector
    locator messenger parser performer refiner renderer scheduler sealer signer summariser sweeper tracer waiter`,
  actions: `analyze apply begin compute create decode evaluate fetch imaging inference joining matching merging processing
    putting reading rendering reviewing routing send sending validation waiting wake writing`,
  participles: `absent owed withdrawn acknowledged addressed admitted aged allowed announced answered applied arrived arriving asked attached audited awaited awaiting bare
    begun bound bounding cancelled captioned changing checked chosen claimed coded compared compiled concerned created current
    decided declared decoded deferred delivered derived described disclosed drafted drawn due duplicate embedded encoded ended
    cut erased expected exported failed found free graded grouped guarded handled held identified ignored included incoming initial invited
    installed issued joined judged kept known labelled last lasting late launched launching leased listed long loaded located logged lost measured merged moved
    named nearest new next offered open opened opening overdue own past peeked scanned pending performed placed planned pointed prepared printable
    former told present printed queued quick random ranged raw read ready received redeemed retained refined refused related remote removed retried rendered
    repeated replayed requested required returned reviewed routed running sealed seen sent served shaped shown signed silent simulated skipped staged
    stale standing stated stored stripped summed threaded timed touched traced undecodable unique unprojected unread
    unconfirmed passing unreadable unserved unusable unused used waiting wanted worst written`,
  small: `and aside before by for from in info of off on other outside to up with`,
};
