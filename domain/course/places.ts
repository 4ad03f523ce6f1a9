import { STATE_NAMES, USPS_STATES } from './codes.ts';
import type { Address } from './course.ts';

/** Alpha-3 codes and common English names, by alpha-2 code. @see ISO 3166-1 */
export const COUNTRIES: ReadonlyMap<string, { readonly letters: string; readonly name: string }> =
  new Map(
    (
      'AD AND Andorra;AE ARE United Arab Emirates;AF AFG Afghanistan;AG ATG Antigua and Barbuda;' +
      'AI AIA Anguilla;AL ALB Albania;AM ARM Armenia;AO AGO Angola;AQ ATA Antarctica;' +
      'AR ARG Argentina;AS ASM American Samoa;AT AUT Austria;AU AUS Australia;AW ABW Aruba;' +
      'AX ALA Åland Islands;AZ AZE Azerbaijan;BA BIH Bosnia and Herzegovina;BB BRB Barbados;' +
      'BD BGD Bangladesh;BE BEL Belgium;BF BFA Burkina Faso;BG BGR Bulgaria;BH BHR Bahrain;' +
      'BI BDI Burundi;BJ BEN Benin;BL BLM Saint Barthélemy;BM BMU Bermuda;BN BRN Brunei;' +
      'BO BOL Bolivia;BQ BES Bonaire;BR BRA Brazil;BS BHS Bahamas;BT BTN Bhutan;' +
      'BV BVT Bouvet Island;BW BWA Botswana;BY BLR Belarus;BZ BLZ Belize;CA CAN Canada;' +
      'CC CCK Cocos (Keeling) Islands;CD COD Democratic Republic of the Congo;' +
      "CF CAF Central African Republic;CG COG Congo;CH CHE Switzerland;CI CIV Côte d'Ivoire;" +
      'CK COK Cook Islands;CL CHL Chile;CM CMR Cameroon;CN CHN China;CO COL Colombia;' +
      'CR CRI Costa Rica;CU CUB Cuba;CV CPV Cabo Verde;CW CUW Curaçao;CX CXR Christmas Island;' +
      'CY CYP Cyprus;CZ CZE Czechia;DE DEU Germany;DJ DJI Djibouti;DK DNK Denmark;DM DMA Dominica;' +
      'DO DOM Dominican Republic;DZ DZA Algeria;EC ECU Ecuador;EE EST Estonia;EG EGY Egypt;' +
      'EH ESH Western Sahara;ER ERI Eritrea;ES ESP Spain;ET ETH Ethiopia;FI FIN Finland;' +
      'FJ FJI Fiji;FK FLK Falkland Islands;FM FSM Micronesia;FO FRO Faroe Islands;FR FRA France;' +
      'GA GAB Gabon;GB GBR United Kingdom;GD GRD Grenada;GE GEO Georgia;GF GUF French Guiana;' +
      'GG GGY Guernsey;GH GHA Ghana;GI GIB Gibraltar;GL GRL Greenland;GM GMB Gambia;GN GIN Guinea;' +
      'GP GLP Guadeloupe;GQ GNQ Equatorial Guinea;GR GRC Greece;' +
      'GS SGS South Georgia and the South Sandwich Islands;GT GTM Guatemala;GU GUM Guam;' +
      'GW GNB Guinea-Bissau;GY GUY Guyana;HK HKG Hong Kong;' +
      'HM HMD Heard Island and McDonald Islands;HN HND Honduras;HR HRV Croatia;HT HTI Haiti;' +
      'HU HUN Hungary;ID IDN Indonesia;IE IRL Ireland;IL ISR Israel;IM IMN Isle of Man;' +
      'IN IND India;IO IOT British Indian Ocean Territory;IQ IRQ Iraq;IR IRN Iran;IS ISL Iceland;' +
      'IT ITA Italy;JE JEY Jersey;JM JAM Jamaica;JO JOR Jordan;JP JPN Japan;KE KEN Kenya;' +
      'KG KGZ Kyrgyzstan;KH KHM Cambodia;KI KIR Kiribati;KM COM Comoros;' +
      'KN KNA Saint Kitts and Nevis;KP PRK North Korea;KR KOR South Korea;KW KWT Kuwait;' +
      'KY CYM Cayman Islands;KZ KAZ Kazakhstan;LA LAO Laos;LB LBN Lebanon;LC LCA Saint Lucia;' +
      'LI LIE Liechtenstein;LK LKA Sri Lanka;LR LBR Liberia;LS LSO Lesotho;LT LTU Lithuania;' +
      'LU LUX Luxembourg;LV LVA Latvia;LY LBY Libya;MA MAR Morocco;MC MCO Monaco;MD MDA Moldova;' +
      'ME MNE Montenegro;MF MAF Saint Martin (French part);MG MDG Madagascar;' +
      'MH MHL Marshall Islands;MK MKD North Macedonia;ML MLI Mali;MM MMR Myanmar;MN MNG Mongolia;' +
      'MO MAC Macao;MP MNP Northern Mariana Islands;MQ MTQ Martinique;MR MRT Mauritania;' +
      'MS MSR Montserrat;MT MLT Malta;MU MUS Mauritius;MV MDV Maldives;MW MWI Malawi;MX MEX Mexico;' +
      'MY MYS Malaysia;MZ MOZ Mozambique;NA NAM Namibia;NC NCL New Caledonia;NE NER Niger;' +
      'NF NFK Norfolk Island;NG NGA Nigeria;NI NIC Nicaragua;NL NLD Netherlands;NO NOR Norway;' +
      'NP NPL Nepal;NR NRU Nauru;NU NIU Niue;NZ NZL New Zealand;OM OMN Oman;PA PAN Panama;' +
      'PE PER Peru;PF PYF French Polynesia;PG PNG Papua New Guinea;PH PHL Philippines;' +
      'PK PAK Pakistan;PL POL Poland;PM SPM Saint Pierre and Miquelon;PN PCN Pitcairn;' +
      'PR PRI Puerto Rico;PS PSE Palestine;PT PRT Portugal;PW PLW Palau;PY PRY Paraguay;' +
      'QA QAT Qatar;RE REU Réunion;RO ROU Romania;RS SRB Serbia;RU RUS Russia;RW RWA Rwanda;' +
      'SA SAU Saudi Arabia;SB SLB Solomon Islands;SC SYC Seychelles;SD SDN Sudan;SE SWE Sweden;' +
      'SG SGP Singapore;SH SHN Saint Helena;SI SVN Slovenia;SJ SJM Svalbard and Jan Mayen;' +
      'SK SVK Slovakia;SL SLE Sierra Leone;SM SMR San Marino;SN SEN Senegal;SO SOM Somalia;' +
      'SR SUR Suriname;SS SSD South Sudan;ST STP Sao Tome and Principe;SV SLV El Salvador;' +
      'SX SXM Sint Maarten (Dutch part);SY SYR Syria;SZ SWZ Eswatini;' +
      'TC TCA Turks and Caicos Islands;TD TCD Chad;TF ATF French Southern Territories;TG TGO Togo;' +
      'TH THA Thailand;TJ TJK Tajikistan;TK TKL Tokelau;TL TLS Timor-Leste;TM TKM Turkmenistan;' +
      'TN TUN Tunisia;TO TON Tonga;TR TUR Turkey;TT TTO Trinidad and Tobago;TV TUV Tuvalu;' +
      'TW TWN Taiwan;TZ TZA Tanzania;UA UKR Ukraine;UG UGA Uganda;' +
      'UM UMI United States Minor Outlying Islands;US USA United States;UY URY Uruguay;' +
      'UZ UZB Uzbekistan;VA VAT Vatican City;VC VCT Saint Vincent and the Grenadines;' +
      'VE VEN Venezuela;VG VGB British Virgin Islands;VI VIR US Virgin Islands;VN VNM Vietnam;' +
      'VU VUT Vanuatu;WF WLF Wallis and Futuna;WS WSM Samoa;YE YEM Yemen;YT MYT Mayotte;' +
      'ZA ZAF South Africa;ZM ZMB Zambia;ZW ZWE Zimbabwe'
    )
      .split(';')
      .map((one) => [one.slice(0, 2), { letters: one.slice(3, 6), name: one.slice(7) }]),
  );

/** Common alternative names, as normalized by `foldName`. */
export const OTHER_COUNTRY_NAMES: Readonly<Record<string, string>> = {
  'united states of america': 'US',
  america: 'US',
  'u s': 'US',
  'u s a': 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  'republic of korea': 'KR',
  korea: 'KR',
  'czech republic': 'CZ',
  'ivory coast': 'CI',
  turkiye: 'TR',
  burma: 'MM',
  swaziland: 'SZ',
  macedonia: 'MK',
  'cape verde': 'CV',
  'east timor': 'TL',
  'viet nam': 'VN',
  'russian federation': 'RU',
  'people s republic of china': 'CN',
  'republic of the congo': 'CG',
  'united mexican states': 'MX',
  'estados unidos': 'US',
  'micronesia federated states of': 'FM',
  'federated states of micronesia': 'FM',
  'virgin islands u s': 'VI',
  'virgin islands british': 'VG',
};

// Longer than any name of a state or country.
const MAX_PLACE = 80;

/** No case, accents, punctuation, or leading "the". */
const foldName = (name: string): string =>
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
  ...[...STATE_NAMES].map(([code, name]) => [foldName(name), code] as const),
]);

const COUNTRIES_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHER_COUNTRY_NAMES),
  ...[...COUNTRIES].flatMap(([code, { letters, name }]) => [
    [foldName(code), code] as const,
    [letters.toLowerCase(), code] as const,
    [foldName(name), code] as const,
  ]),
]);

// ISO 3166-2 codes such as `US-AL` include the country.
const OF_THE_US = /^us-/i;

export const findStateCode = (text: string): string | null => {
  const code = text.replace(OF_THE_US, '').toUpperCase();
  return USPS_STATES.has(code) ? code : (STATES_BY_NAME.get(foldName(text)) ?? null);
};

export const findCountryCode = (text: string): string | null => {
  if (COUNTRIES.has(text)) return text;
  return text.length > MAX_PLACE ? null : (COUNTRIES_BY_NAME.get(foldName(text)) ?? null);
};

/** No state, or a state of an unknown country. */
export const UNKNOWN = 'ZZ';
/** A known country without listed states, or Canada without a known province. */
export const ELSEWHERE = 'XX';

const US = 'US';
const CANADA = 'CA';

/**
 * A country that is not in the list has no vital records code.
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

/** Vital records areas without a code in ISO 3166-1, or with another one. */
export const OTHER_COUNTRIES: ReadonlyMap<string, string> = new Map(
  (
    'AT Ashmore and Cartier Islands;AX Akrotiri;BS Bassas da India;CL Central and Southern Line Islands;' +
    'CR Coral Sea Islands;CZ Czechoslovakia;DM Dahomey;DQ Jarvis Island;DX Dhekelia;EB East Berlin;' +
    'EQ Canton and Enderbury Islands;EU Europa Island;FT French Territory of the Afars and Issas;' +
    'GC East Germany;GE West Germany;GN Gilbert and Ellice Islands;GO Glorioso Islands;GS Gilbert Islands;' +
    'GZ Gaza Strip;HQ Howland Island;IP Clipperton Island;IQ US Miscellaneous Pacific Islands;' +
    'IU Israel-Syria Demilitarized Zone;IW Israel-Jordan Demilitarized Zone;' +
    'IY Iraq-Saudi Arabia Neutral Zone;JN Jan Mayen;JQ Johnston Atoll;JU Juan de Nova Island;KV Kosovo;' +
    'LQ Palmyra Atoll;MQ Midway Islands;NT Netherlands Antilles;PF Paracel Islands;PG Spratly Islands;' +
    'PJ Etorofu, Habomai, Kunashiri, and Shikotan Islands;PN Panama;PQ Panama Canal Zone;RH Rhodesia;' +
    'SK Sikkim;SQ Swan Islands;SS Spanish Sahara;SV Svalbard;TC United Arab Emirates;TE Tromelin Island;' +
    'TQ Trust Territory of the Pacific Islands;UR Soviet Union;VN North Vietnam;VS South Vietnam;' +
    'WB West Berlin;WE West Bank;WQ Wake Island;YE Yemen (Sanaa);YI Yugoslavia;' +
    'YQ Ryukyu Islands, Southern;YS Yemen (Aden)'
  )
    .split(';')
    .map((one) => [one.slice(0, 2), one.slice(3)]),
);

/** Stored form of such a country: the code alone would be that of another one in ISO 3166-1. */
const markCountry = (code: string, name: string): string => `${name} (${code})`;

const OTHER_CODES_BY_NAME: ReadonlyMap<string, string> = new Map(
  [...OTHER_COUNTRIES].flatMap(([code, name]) =>
    [markCountry(code, name), name]
      .map(foldName)
      .filter((folded) => !COUNTRIES_BY_NAME.has(folded))
      .map((folded) => [folded, code] as const),
  ),
);

const findOtherCode = (text: string): string | null =>
  text.length > MAX_PLACE ? null : (OTHER_CODES_BY_NAME.get(foldName(text)) ?? null);

const isSameCode = ([iso, own]: readonly [string, string]): boolean => iso === own;

/** ISO code of each vital records code. Of those that share one, the country itself. */
const ISO_CODES: ReadonlyMap<string, string> = new Map(
  [...COUNTRY_CODES]
    .toSorted((one, other) => Number(isSameCode(one)) - Number(isSameCode(other)))
    .map(([iso, own]) => [own, iso]),
);

/** Lists of country codes: some codes stand for another country in each. */
export type CountryList = 'ISO 3166' | 'vital records';

/** Alpha-2 code, else the vital records name with the code; null for any other text. */
export const readCountry = (text: string, list: CountryList): string | null => {
  const code = text.toUpperCase();
  if (list === 'vital records') {
    const iso = ISO_CODES.get(code);
    if (iso !== undefined) return iso;
  }
  const other = list === 'vital records' && OTHER_COUNTRIES.has(code) ? code : null;
  const iso = other === null ? findCountryCode(text) : null;
  if (iso !== null) return iso;
  const known = other ?? findOtherCode(text);
  return known === null ? null : markCountry(known, OTHER_COUNTRIES.get(known) ?? '');
};

export const isAmbiguousCountry = (text: string): boolean => {
  const iso = readCountry(text, 'ISO 3166');
  const own = readCountry(text, 'vital records');
  return iso !== null && own !== null && iso !== own;
};

/** @see Canada Post */
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

const toIsoCode = ({ country }: Pick<Residence, 'country'>): string | null =>
  country === null ? null : findCountryCode(country);

export const encodeCountry = (residence: Pick<Residence, 'country'>): string => {
  const iso = toIsoCode(residence);
  if (iso !== null) return COUNTRY_CODES.get(iso) ?? UNKNOWN;
  const { country } = residence;
  if (country === null) return UNKNOWN;
  // A code that ISO 3166-1 does not have can only be that of the list.
  const isOfList = ISO_CODES.has(country) || OTHER_COUNTRIES.has(country);
  return isOfList ? country : (findOtherCode(country) ?? UNKNOWN);
};

/** `ZZ` if unknown, `XX` for another country or an unknown province. A US state needs no country. */
export const encodeState = (residence: Residence): string => {
  const country = toIsoCode(residence);
  const { state } = residence;
  if (residence.country !== null && country === null)
    return encodeCountry(residence) === UNKNOWN ? UNKNOWN : ELSEWHERE;
  if (country === CANADA) return PROVINCES_BY_NAME.get(state?.toUpperCase() ?? '') ?? ELSEWHERE;
  if (country !== null && encodeCountry(residence) !== US) return ELSEWHERE;
  const code = state === null ? null : findStateCode(state);
  if (code !== null && STATE_NAMES.has(code)) return code;
  // A US territory given as the country.
  return country !== null && STATE_NAMES.has(country) ? country : UNKNOWN;
};

export const formatState = (residence: Residence): string | null => {
  const code = encodeState(residence);
  return (
    STATE_NAMES.get(code) ??
    PROVINCES.get(code) ??
    (residence.state === ELSEWHERE ? null : residence.state)
  );
};

// Earlier versions stored codes of vital records, such as VM for Vietnam, as the name of a country.
const BARE_CODE = /^[A-Z]{2}$/;

const formatText = (text: string | null): string | null =>
  text === null || BARE_CODE.test(text) ? null : text;

export const formatCountry = (residence: Pick<Residence, 'country'>): string | null =>
  COUNTRIES.get(toIsoCode(residence) ?? '')?.name ??
  OTHER_COUNTRIES.get(findOtherCode(residence.country ?? '') ?? '') ??
  formatText(residence.country);

export const reportState = (residence: Residence & { readonly state: string }): string =>
  reportPlace(encodeState(residence), residence.state);

export const reportCountry = (country: string): string =>
  reportPlace(encodeCountry({ country }), country);

/** A text without a code, unless readers would take it for one. */
const reportPlace = (code: string, text: string): string =>
  code === UNKNOWN ? (formatText(text) ?? code) : code;

export const countPlacesWithoutCode = (residence: Residence): number =>
  [
    residence.state !== null && encodeState(residence) === UNKNOWN,
    residence.country !== null && encodeCountry(residence) === UNKNOWN,
  ].filter(Boolean).length;
