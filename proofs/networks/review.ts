/**
 * Words of companies that rent servers. Names in which such a word means something else are in
 * {@link networksOfPeople}.
 */
export const hostingWords: readonly RegExp[] = [
  /\bhost(?:ing|ed|er|inger|papa|way|winds)?\b|\w(?:hosting|hoster)\b/i,
  /\bcloud|\wcloud\b/i,
  /\bservers?\b|\bdedicated\b|\bvps\b/i,
  /\bdata ?cent(?:er|re)s?\b|\bidc\b|\bcolo(?:cation)?\b/i,
];

/** How the names of companies begin that rent servers, and whose names don't say so. In lower case. */
export const hostingCompanies: readonly string[] = [
  'amazon',
  'alibaba',
  'aruba s.p.a',
  'byteplus',
  'constant company',
  'contabo',
  'digitalocean',
  'fdcservers',
  'fly.io',
  'gandi',
  'godaddy',
  'hangzhou alibaba',
  'hetzner',
  'hivelocity',
  'i3d.net',
  'infomaniak',
  'interserver',
  'internap',
  'ionos',
  'jsc "selectel',
  'jsc "timeweb',
  'kamatera',
  'latitude.sh',
  'leaseweb',
  'liquid web',
  'namecheap',
  'netcup',
  'nforce',
  'ovh',
  'psychz',
  'rackspace',
  'scaleway',
  'selectel',
  'sharktech',
  'shenzhen tencent',
  'strato ag',
  'the constant',
  'timeweb',
  'unified layer',
  'upcloud',
  'worldstream',
];

/** Hosting networks whose company has other networks, too. */
export const hostingNetworks: Readonly<Record<number, string>> = {
  8068: 'Azure',
  8069: 'Azure',
  8070: 'Azure',
  8075: 'Azure and Microsoft 365, apart from the offices',
  31898: "Oracle's cloud, apart from the offices",
  63949: 'Linode, which belongs to Akamai',
  396982: 'Google Cloud, apart from Google itself',
};

/**
 * How the names of companies begin that open the links of other people's mail, from networks of their own,
 * of any size. In lower case.
 */
export const mailScanners: readonly string[] = [
  'proofpoint',
  'mimecast',
  'barracuda networks',
  'cisco systems ironport',
  'trend micro',
  'hornetsecurity',
  'abnormal inc',
];

/**
 * Networks of people whose names or companies look like hosting. The browsers behind some of them
 * are far away, because the network relays their requests.
 */
export const networksOfPeople: readonly { name: RegExp; reason: string }[] = [
  { name: /cloudflare/i, reason: "relays people: Apple's Private Relay and WARP" },
  { name: /akamai|fastly/i, reason: "relays people: Apple's Private Relay" },
  {
    name: /apple inc|opera (?:norway|software)/i,
    reason: 'relays people: Private Relay, Opera Mini',
  },
  {
    name: /zscaler|netskope|forcepoint|opendns|iboss|menlo|cato networks/i,
    reason: "companies' proxies",
  },
  { name: /m247|datacamp|tzulo|performive|packethub|31173/i, reason: "exits of people's VPNs" },
  { name: /^the cloud networks/i, reason: 'public Wi-Fi' },
  { name: /rechenzentrum|university|institute/i, reason: 'universities' },
  {
    name: /bbdo|epic hosting|wnet internet|bandwidth and cloud services|africa on cloud/i,
    reason: 'offices and access providers',
  },
];

/** Smaller networks send hardly any clicks, and nobody has reviewed their names. */
export const minAddresses = 8_192;
