/**
 * SHA-256 of each migration's file, by the migration's name. A migration is never edited once committed: a new one puts things right.
 * Each database remembers the checksums that it was made by, and a build with others refuses it. A test compares this list with the files.
 */
export const MIGRATION_CHECKSUMS: Readonly<Record<string, string>> = {
  CreateFoundation1763700000000: '429753648720023a5d8f0c511ab040b99e39ca97516cbac5eda0d2416fa39b66',
  CreateCalibrationCards1763800000000: 'cbbdab8cd68de77967bb1c8b07adcf7f63b1af3ded80c77f42811d45534830cd',
  CreateFollowUp1763900000000: 'd53014d31a672f482af7c676044c63b80060b260d3500b8abf34f46c813cbc29',
  CreateFhir1764000000000: '9b8e37735bff94bb6436d291520de61972d8d53cf9b4e76d122dd1dbbabc1746',
  CreateAnalysisRequests1764100000000: '57af330ebae7ba1a4479dd7c33a54271a6a2ab3edbcdef9a5755476329cb30bf',
  CreateAudit1764200000000: '6318da46bdfa08f200af806aea618446a777da9ed6588a790ff230c5d27f52b4',
  CreateHl71764300000000: '5b50f26820782c143507a84482566bf1b8f8b51aeb9e4fcd5d058d7808868c95',
  CreateHl7Outbox1764400000000: 'd5f4c4fa316bade57cba6fb3135667c6b4a9366aea2d6c02a9e045a92a1d0dab',
  CreatePatientMerges1764500000000: '3c0816b4bfda4578a95700c33235a74fb9e93efc7a10d21192369444029db2d2',
  IndexQuantitiesByUnit1764600000000: '9a4ef6ec6bc8ff2ab42448f8d5c4eff960b14fa9e1c12a9ba1c8d630967b7a8e',
  IndexQuantitiesAsGiven1764710000000: 'a6c374c78f1ca42a08bf458e422724c7ff0a24dccfd286b26ce1a02b1f208fa1',
  CreateFhirClientIds1764711000000: '7e353d0622996aa73f69ec05901dfe6d66f9c8bd079fefcd3818cf730cbbdcd9',
  RankPatientNumbers1764720000000: '9ae76adf863788d6bd7f9399e5fbca12b9b212667e32fc778054d05812d76eec',
  OperateHl7Outbox1764730000000: '419e1700a370acd1082b2c5b7928c88c731a7c45edcee6cf489c81c85ca2a1fa',
  SearchHl7Messages1764730000001: 'ff1bb269913ef314651b63f5d2927eaf17e1e75571a230c8a3da85432858a676',
  RememberChecksums1764740000000: '673f0e663044fbad5c8d65240f87dd3f2bdc5a6ce05135592fcd9b39f427f223',
  FindPhotosInMessages1764750000000: '3a54d5b0d2a5c497d5d4bc5bd27edd1d701824c2282beeebd463f5c3583a7ba2',
  AuditRefusals1764751000000: '99241c4635165846ea2fc05ac3dfe0eb1d78eb6bf20566ca378f00653b8d8028',
  CountStoredBytes1764752000000: '1fe5c31f465e1376375a9ae64c1f863a1d8f0d38c37acf58ba1c5d7e9f9adf59',
  TellServedListeners1764770000000: '72a6f21a27c3861a497b04b5ea0eca31917fafc08c70bb63c8e407d1952bf88c',
  VersionStoredDocuments1764780100000: '968414cf4de6d510ef79dfd21df9dd8dfc0e230d1de01f1ce7275d3d2094f3d2',
  OrderPastVersions1764780400000: '5b65d9422129e49efa6065685a2bc3416b63c3d2b36c65036a174d137132f3ff',
  TellWhatBecameOfMessages1764780700000: '0c0d400f79b6c5273c4c5d7ee2ad8e6eb2e87e1fce0d69a917a7fdf18d84cfd5',
};
