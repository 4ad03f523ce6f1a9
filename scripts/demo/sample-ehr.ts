import type { SimulatedEhr } from '../ehr-simulator/start-ehr.ts';

/** An EHR for the demo, with the settings by which the service trusts it. */
export interface SampleEhr {
  readonly ehr: SimulatedEhr;
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts the simulated EHR beside the service. */
export const startSampleEhr = async (): Promise<SampleEhr> => {
  // Loaded only here: it signs with a library that the service itself has no use for.
  const { startEhr } = await import('../ehr-simulator/start-ehr.ts');
  const ehr = await startEhr();
  return {
    ehr,
    settings: { SMART_CLIENT_ID: ehr.clientId, SMART_ALLOWED_ISSUERS: ehr.issuer },
  };
};
