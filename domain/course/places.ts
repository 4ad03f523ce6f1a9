import { STATE_NAMES, USPS_STATES } from './codes.ts';
import { COUNTRIES, OTHER_COUNTRY_NAMES } from './countries.ts';
import type { Address } from './course.ts';

// No name of a state or country is longer.
const MAX_PLACE = 80;

/** A name as it is compared: without case, accents, punctuation and "the". */
const folded = (name: string): string =>
  name
    .slice(0, MAX_PLACE)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');

const OTHER_STATE_NAMES: Readonly<Record<string, string>> = {
  'washington dc': 'DC',
  'washington d c': 'DC',
  'd c': 'DC',
  'us virgin islands': 'VI',
  'u s virgin islands': 'VI',
  'virgin islands of the united states': 'VI',
  'commonwealth of the northern mariana islands': 'MP',
  'commonwealth of puerto rico': 'PR',
  'federated states of micronesia': 'FM',
  micronesia: 'FM',
  'marshall islands': 'MH',
  palau: 'PW',
  'armed forces americas': 'AA',
  'armed forces europe': 'AE',
  'armed forces pacific': 'AP',
};

const STATES_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHER_STATE_NAMES),
  ...[...STATE_NAMES].map(([code, name]) => [folded(name), code] as const),
]);

const COUNTRIES_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHER_COUNTRY_NAMES),
  ...[...COUNTRIES].flatMap(([code, { letters, name }]) => [
    [folded(code), code] as const,
    [letters.toLowerCase(), code] as const,
    [folded(name), code] as const,
  ]),
]);

// `US-AL` of ISO 3166-2 names the country too.
const OF_THE_US = /^us-/i;

/** The USPS code of a state that is written as its code or its name; null for any other text. */
export const findStateCode = (text: string): string | null => {
  const code = text.replace(OF_THE_US, '').toUpperCase();
  return USPS_STATES.has(code) ? code : (STATES_BY_NAME.get(folded(text)) ?? null);
};

/** The two letters of a country that is written as its letters or its name; null for any other text. */
export const findCountryCode = (text: string): string | null => {
  if (COUNTRIES.has(text)) return text;
  return text.length > MAX_PLACE ? null : (COUNTRIES_BY_NAME.get(folded(text)) ?? null);
};

/** No state, or one of a country that is not known. */
const UNKNOWN = 'ZZ';
/** A country that is known and has no states in the list, or Canada without a province. */
const ELSEWHERE = 'XX';

const US = 'US';
const CANADA = 'CA';

/**
 * The codes that vital records have for countries, behind those of ISO 3166-1. A country that is not
 * here has none. Territories of the United States are states there.
 * @see HL7 Vital Records Common Library, CodeSystem-country-code-vr
 */
const COUNTRY_CODES: ReadonlyMap<string, string> = new Map(
  (
    'ADAN AEAE AFAF AGAC AIAV ALAL AMAM AOAO AQAY ARAR ASUS ATAU AUAS AWAA AXFI AZAJ BABK BBBB BDBG BEBE BFUV BGBU ' +
    'BHBA BIBY BJBN BLTB BMBD BNBX BOBL BQNL BRBR BSBF BTBT BVBV BWBC BYBO BZBH CACA CCCK CDCG CFCT CGCF CHSZ CIIV ' +
    'CKCW CLCI CMCM CNCH COCO CRCS CUCU CVCV CWUC CXKT CYCY CZEZ DEGM DJDJ DKDA DMDO DODR DZAG ECEC EEEN EGEG EHWI ' +
    'ERER ESSP ETET FIFI FJFJ FKFK FMFM FOFO FRFR GAGB GBUK GDGJ GEGG GFFG GGGK GHGH GIGI GLGL GMGA GNGV GPGP GQEK ' +
    'GRGR GSSX GTGT GUUS GWPU GYGY HKHK HMHM HNHO HRHR HTHA HUHU IDID IEEI ILIS IMIM ININ IOIO IQIZ IRIR ISIC ITIT ' +
    'JEJE JMJM JOJO JPJA KEKE KGKG KHCB KIKR KMCN KNSC KPKN KRKS KWKU KYCJ KZKZ LALA LBLE LCST LILS LKCE LRLI LSLT ' +
    'LTLH LULU LVLG LYLY MAMO MCMN MDMD MEMJ MFRN MGMA MHRM MKMK MLML MMBM MNMG MOMC MPUS MQMB MRMR MSMH MTMT MUMP ' +
    'MVMV MWMI MXMX MYMY MZMZ NAWA NCNC NENG NFNF NGNI NINU NLNL NONO NPNP NRNR NUNE NZNZ OMMU PAPM PEPE PFFP PGPP ' +
    'PHRP PKPK PLPL PMSB PNPC PRUS PTPO PWPS PYPA QAQA RERE RORO RSRI RURS RWRW SASA SBBP SCSE SDSU SESW SGSN SHSH ' +
    'SISI SJJS SKLO SLSL SMSM SNSG SOSO SRNS SSOD STTP SVES SXNN SYSY SZWZ TCTK TDCD TFFS TGTO THTH TJTI TKTL TLTT ' +
    'TMTX TNTS TOTN TRTU TTTD TVTV TWTW TZTZ UAUP UGUG USUS UYUY UZUZ VAVT VCVC VEVE VGVI VIUS VNVM VUNH WFWF WSWS ' +
    'YEYM YTMF ZASF ZMZA ZWZI'
  )
    .split(' ')
    .map((one) => [one.slice(0, 2), one.slice(2)]),
);

/** Provinces and territories of Canada. @see Canada Post */
const PROVINCES: ReadonlyMap<string, string> = new Map(
  (
    'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,' +
    'NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan,YT Yukon'
  )
    .split(',')
    .map((one) => [one.slice(0, 2), one.slice(3)]),
);

const PROVINCES_BY_NAME: ReadonlyMap<string, string> = new Map(
  [...PROVINCES].flatMap(([code, name]) => [
    [code, code] as const,
    [name.toUpperCase(), code] as const,
  ]),
);

type Residence = Pick<Address, 'state' | 'country'>;

const isoOf = ({ country }: Pick<Residence, 'country'>): string | null =>
  country === null ? null : findCountryCode(country);

/** The code of a country of residence; `ZZ`: it is not known, or has none. */
export const encodeCountry = (residence: Pick<Residence, 'country'>): string =>
  COUNTRY_CODES.get(isoOf(residence) ?? '') ?? UNKNOWN;

/**
 * The code of a state, territory or Canadian province of residence. `ZZ`: it is not known; `XX`: another country, or
 * an unknown province. Where no country is stated, a state of the United States says enough.
 */
export const encodeState = (residence: Residence): string => {
  const country = isoOf(residence);
  const { state } = residence;
  if (residence.country !== null && country === null) return UNKNOWN;
  if (country === CANADA) return PROVINCES_BY_NAME.get(state?.toUpperCase() ?? '') ?? ELSEWHERE;
  if (country !== null && encodeCountry(residence) !== US) return ELSEWHERE;
  const code = state === null ? null : findStateCode(state);
  if (code !== null && STATE_NAMES.has(code)) return code;
  // A territory that is named as the country.
  return country !== null && STATE_NAMES.has(country) ? country : UNKNOWN;
};

/** The name of a state or province; what was sent where it has no code. */
export const stateName = (residence: Residence): string | null => {
  const code = encodeState(residence);
  return STATE_NAMES.get(code) ?? PROVINCES.get(code) ?? residence.state;
};

/** The name of a country; what was sent where it is none that is known. */
export const countryName = (residence: Pick<Residence, 'country'>): string | null =>
  COUNTRIES.get(isoOf(residence) ?? '')?.name ?? residence.country;

/** A state as vital records write it; as it is held where it has no code. */
export const reportState = (residence: Residence & { readonly state: string }): string => {
  const code = encodeState(residence);
  return code === UNKNOWN ? residence.state : code;
};

/** A country as vital records write it; as it is held where it has no code. */
export const reportCountry = (held: string): string => {
  const code = encodeCountry({ country: held });
  return code === UNKNOWN ? held : code;
};

/** How many of state and country are held as texts that no code exists for. */
export const countPlacesWithoutCode = (residence: Residence): number =>
  [
    residence.state !== null && encodeState(residence) === UNKNOWN,
    residence.country !== null && encodeCountry(residence) === UNKNOWN,
  ].filter(Boolean).length;
