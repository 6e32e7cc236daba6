"""Vocabulary of the rules: professions, months, places, and words that are no names.

All are folded: lower case, without accents.
"""


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


TRADES = word_set(
    """
    accountant actor actress actuary admin administrator advisor adviser agronomist analyst anesthesiologist animator
    anthropologist apprentice archaeologist architect archivist artist assistant associate astronomer attorney auctioneer
    auditor author babysitter baker bookbinder barber barista barman bartender beautician beekeeper biochemist biologist
    blacksmith blogger boilermaker bookkeeper bookseller botanist brewer bricklayer broker builder bursar butcher butler
    buyer cabinetmaker captain cardiologist caregiver carer caretaker carpenter cartographer cashier caterer ceo cfo chef
    chemist childminder chiropractor choreographer cinematographer cleaner clerk climatologist coach cobbler columnist
    commissioner composer concierge conductor conservator consultant contractor cook coordinator copywriter coroner
    cosmetologist counsellor counselor courier cto curator custodian dancer dean decorator dentist dermatologist designer
    detective developer dietician dietitian diplomat director dispatcher diver dj docker doctor doula dressmaker driver
    ecologist economist editor educator electrician embalmer engineer engraver entrepreneur epidemiologist estimator
    farmer farrier filmmaker firefighter fireman fisherman florist forester founder co-founder cofounder freelancer
    gamekeeper gardener geographer geologist glazier goldsmith grocer groundskeeper guard guide gynecologist hairdresser
    handyman headteacher headmaster historian housekeeper hygienist illustrator immunologist inspector instructor
    interpreter intern investigator janitor jeweller jeweler joiner journalist judge keeper kinesiologist labourer laborer
    landlord landscaper lawyer lecturer librarian lifeguard linguist locksmith machinist magistrate manager marketer mason
    masseuse masseur mathematician mechanic meteorologist microbiologist midwife milliner miner minister musician nanny
    naturalist negotiator neurologist neuroscientist notary novelist nun nurse nutritionist obstetrician officer oncologist
    operator ophthalmologist optician optometrist orthodontist painter paralegal paramedic pastor pathologist pediatrician
    paediatrician pharmacist philosopher photographer phlebotomist physician physicist physio physiotherapist pianist pilot
    plasterer plumber podiatrist poet policeman policewoman policymaker politician porter postdoc postman potter priest
    principal producer professor programmer proofreader psychiatrist psychologist publican publicist publisher radiographer
    radiologist ranger realtor receptionist recruiter referee registrar rep reporter representative researcher restaurateur
    retailer retiree roofer sailor salesman salesperson saleswoman scaffolder scientist sculptor seamstress secretary
    shepherd shopkeeper singer smith sociologist soldier solicitor sommelier specialist statistician steward stewardess
    stockbroker strategist student stylist superintendent supervisor surgeon surveyor sysadmin tailor tanner teacher
    technician technologist teller tester therapist tiler trader trainee trainer translator treasurer trucker tutor tv
    typist undergrad undergraduate underwriter upholsterer usher vet veterinarian vicar violinist volunteer waiter waitress
    warden warehouseman watchmaker weaver webmaster welder winemaker woodworker worker writer zoologist postgraduate
    postgrad phd resident hydrologist toxicologist virologist luthier glassblower stonemason beautician greengrocer
    fishmonger barrister planner pharmacologist geneticist ergonomist sonographer copyeditor
    abogado abogada actor actriz administrativo administrativa aduanero agente agricultor agricultora albanil alfarero
    alfarera ambulanciero analista apicultor apicultora arbitro archivera archivero arqueologo arqueologa arquitecta
    arquitecto artesana artesano asesor asesora asistente auxiliar autonomo autonoma ayudante azafata azafato bailarin
    bailarina barrendero barrendera basurero becaria becario bibliotecaria bibliotecario bioquimica bioquimico bombera
    bombero cajera cajero camarera camarero camionera camionero carnicera carnicero carpintera carpintero cartera cartero
    catedratica catedratico celadora celador ceramista cerrajera cerrajero chef chofer cientifica cientifico cineasta
    cirujana cirujano cocinera cocinero comerciante comercial compositor compositora conductor conductora conserje
    constructor constructora consultora consultor contador contadora contable coordinador coordinadora corredor
    corrector correctora costurera creador cuidador cuidadora decorador decoradora delineante dentista dependienta
    dependiente desarrollador desarrolladora director directora disenador disenadora docente doctora doctor
    doctoranda doctorando economista editora editor educador educadora electricista empleada empleado empresaria
    empresario encargada encargado enfermera enfermero entrenador entrenadora escritor escritora escultor escultora
    esteticista estibador estudiante farmaceutica farmaceutico filologa filologo fiscal fisica fisico fisio fisioterapeuta
    florista fontanera fontanero fotografa fotografo frutera frutero funcionaria funcionario ganadera ganadero gasfiter
    gasista gerente gestora gestor guardia guarda guia guionista herrera herrero hostelera hostelero huertera ilustrador
    ilustradora informatica informatico ingeniera ingeniero inspector inspectora instalador instaladora interprete
    investigador investigadora jardinera jardinero jefa jefe jinete joyera joyero jubilada jubilado jueza juez librera
    librero licenciada licenciado limpiadora locutor locutora logopeda maestra maestro maquinista maquilladora marinero
    marino masajista matematica matematico matrona matron mecanica mecanico medica medico mensajera mensajero mesera mesero
    minera minero modista monitor monitora mozo musica musico musicologa ninera notaria notario nutricionista obrera obrero
    odontologa odontologo oficial oficinista operadora operador operaria operario opositor opositora orfebre orientadora
    orientador panadera panadero paramedica paramedico partera pastelera pastelero pastor pastora patron patrona peluquera
    peluquero pensionada pensionista peona peon periodista pescadera pescador pescadora piloto pintor pintora
    plomera plomero podologa podologo policia politologa politologo portera portero practicante procuradora procurador
    profe profesora profesor programador programadora promotor promotora psicologa psicologo psiquiatra publicista
    quimica quimico quiosquera recepcionista redactora redactor relojera relojero repartidora repartidor
    repostera repostero representante residente restauradora restaurador sastra sastre secretaria secretario
    sociologa sociologo socorrista soldado soldador soldadora tapicera tapicero taxista tecnica tecnico teleoperador
    teleoperadora terapeuta topografa topografo torera tornera tornero trabajadora trabajador traductor traductora
    tramitadora transportista universitaria universitario vaquero vendedora vendedor veterinaria veterinario
    vigilante viticultora viticultor voluntaria voluntario zapatera zapatero maquetador maquetadora matarife practicas interino interina autoescuela corresponsal tatuadora tatuador
    influencer streamer youtuber sereno encofrador soldadora ganadera botanico botanica geologo biologa biologo
    bibliotecologa diplomatica diplomatico criminologa criminologo pedagoga pedagogo enologa enologo azulejista marmolista ebanista owner co-owner dueno duena propietario propietaria socio socia
    fundador fundadora cofundador cofundadora
    """
)
"""Head nouns of professions and studies."""

SURNAMES = word_set(
    """
    smith baker cook mason butler carpenter potter porter gardener shepherd weaver tanner barber farmer glazier steward
    brewer chandler dancer dean driver fisher goldsmith judge keeper lawyer miner painter player ranger roofer sailor
    singer tailor tiler trader usher vicar warden woodworker priest pastor herrero herrera pastora marino
    zapatero cantero carnicero carpintero panadero molinero sastre escribano jurado guerrero cocinero montero caballero
    alfarero barbero botero cabrero cartero conde soldado tejedor ganadero granjero jardinero librero marinero vaquero
    """
)
"""Professions, and words like them, that are surnames, too."""

TRADE_ENDINGS = (
    "ologist", "ographer", "ician", "smith", "wright", "maker", "keeper", "ologo", "ologa", "ografo", "ografa", "iatra",
)  # fmt: skip

NO_TRADES = word_set("matchmaker troublemaker peacemaker scorekeeper homemaker deboletin")

_MONTHS_EN = (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug"
    " sept sep oct nov dec"
)
_MONTHS_ES = (
    "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre"
)
MONTHS_EN = "(?:" + "|".join(_MONTHS_EN.split()) + r")\b\.?"
MONTHS_ES = "(?:" + "|".join(_MONTHS_ES.split()) + r")\b"

TOWNS = word_set(
    """
    london paris madrid barcelona valencia sevilla seville zaragoza malaga murcia bilbao granada cordoba vigo gijon oviedo
    cadiz salamanca burgos leon toledo valladolid santander pamplona alicante almeria huelva jaen badajoz caceres
    logrono albacete cuenca segovia soria teruel huesca lleida girona tarragona castellon vitoria tenerife mallorca
    bogota medellin cali barranquilla cartagena bucaramanga pereira manizales lima arequipa cusco cuzco trujillo quito
    guayaquil santiago valparaiso temuco concepcion antofagasta iquique rosario mendoza tucuman salta neuquen bariloche
    montevideo asuncion caracas maracaibo barquisimeto merida monterrey guadalajara puebla tijuana oaxaca queretaro
    cancun veracruz toluca chihuahua hermosillo culiacan saltillo xalapa habana managua tegucigalpa panama guatemala
    berlin munich hamburg vienna rome milan turin naples florence venice lisbon porto oporto amsterdam rotterdam utrecht
    ghent antwerp brussels bruges geneva zurich basel bern lyon marseille toulouse nantes bordeaux lille nice dublin cork
    galway limerick belfast cardiff swansea edinburgh glasgow aberdeen dundee leeds hull york sheffield manchester
    liverpool bristol birmingham nottingham leicester norwich oxford cambridge bath exeter plymouth brighton southampton
    newcastle sunderland oslo bergen tromso trondheim stockholm gothenburg malmo copenhagen aarhus helsinki tampere
    reykjavik warsaw krakow gdansk prague brno budapest bucharest sofia athens istanbul ankara moscow kyiv lviv riga
    vilnius tallinn boston chicago seattle portland denver austin dallas houston phoenix tulsa detroit atlanta miami
    philadelphia toronto montreal vancouver ottawa calgary halifax sydney melbourne brisbane perth adelaide auckland
    wellington tokyo osaka kyoto seoul beijing shanghai singapore bangkok hanoi manila jakarta mumbai delhi bangalore
    chennai kolkata lagos nairobi accra cairo casablanca tunis johannesburg durban
    spain france germany italy portugal england scotland wales ireland holland belgium switzerland austria poland norway
    sweden denmark finland iceland greece turkey canada mexico argentina chile peru colombia ecuador bolivia uruguay
    paraguay venezuela brazil cuba japan china india australia kenya ghana nigeria morocco texas california alaska
    espana francia alemania italia inglaterra escocia irlanda suiza suecia noruega dinamarca finlandia marruecos
    lugo ourense orense pontevedra ferrol aviles ibiza melilla ceuta elche getafe mostoles leganes alcala jerez marbella
    almagro avila zamora palencia guadalajara tarifa ronda reus terrassa sabadell badalona gandia torrevieja lanzarote
    talca osorno valdivia rancagua chillan arica calama coquimbo piura chiclayo iquitos puno huancayo ayacucho cuernavaca
    morelia durango tampico acapulco campeche leon zacatecas aguascalientes tepic colima cochabamba sucre potosi oruro
    loja ambato manta cucuta ibague pasto neiva armenia popayan valledupar monteria
    parana corrientes posadas resistencia ushuaia quilmes rafaela tandil galicia asturias cantabria euskadi navarra aragon cataluna andalucia extremadura
    """
)
"""Places, for text where a place cannot be told from a company, or is written in lower case."""

NO_NAMES = word_set(
    """
    afghan african american argentinian australian austrian asian african arab bangladeshi basque belgian bolivian brazilian british bulgarian canadian catalan chilean
    chinese colombian croatian cuban czech danish dutch ecuadorian egyptian english estonian european filipino finnish
    french german ghanaian greek hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese
    jewish kenyan korean latvian lebanese lithuanian malaysian maltese mexican moroccan nepali nigerian norwegian
    pakistani palestinian peruvian polish portuguese romanian russian scottish serbian sicilian slovak slovenian
    spanish swedish swiss syrian taiwanese thai turkish ukrainian uruguayan venezuelan vietnamese welsh christian
    catholic muslim hindu buddhist protestant jewish sikh atheist vegan vegetarian coeliac celiac gluten adhd aspergers
    ok okay sorry sure fine good dead done not so very too here there back new old just still now on in at from a an the
    no nope yes well also always never trying looking going using having working writing thinking living android ios
    windows linux mac apple google microsoft i it you he she we they my your his her their gen mr mrs ms dr team admin
    root system user batman superman god santa spiderman bond king queen leo virgo aries taurus gemini cancer libra
    scorpio sagittarius capricorn aquarius pisces lucky happy sad tired monday tuesday wednesday thursday friday
    saturday sunday java python excel sql css html rust english-speaking tempted afraid glad stuck lost confused curious
    el la los las un una unos unas de del al en con por para yo tu muy mas menos nuevo nueva asi solo sola ya si pues que
    quien como cuando donde todo nada capricornio acuario piscis tauro geminis escorpio sagitario batman dios usted tan soporte testigo licenciada licenciado support
    """
)
"""Words that stand where a name could, with a capital or after "call me", and are no names."""
