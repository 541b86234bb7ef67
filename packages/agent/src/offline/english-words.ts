/** German and French words of common questions, with the English word that documents use. */
const WORDS = `
address: adresse adressen
answer: antwort antworten antwortet reponse reponses
approval: freigabe freigaben genehmigung genehmigungen zustimmung zustimmungen approbation approbations
approve: freigeben genehmigen erteilen erteilt approuver approuve
attach: anhangen anhange joindre
attachment: anhang anhangs jointe jointes
backup: sicherung datensicherung sauvegarde sauvegardes
block: blocke blocken bloc blocs
branch: zweig zweige branche branches
browser: navigateur
cache: zwischenspeicher
call: aufruf aufrufe appel appels
category: kategorie kategorien categorie
change: andere andern andert geandert changer modifier
chart: diagramm diagramme graphique graphiques
citation: zitat zitate citations
cite: zitieren zitiert citer
city: stadt stadte ville villes
compare: vergleiche vergleichen comparer
contract: vertrag vertrage contrat contrats
conversation: unterhaltung unterhaltungen gesprach gesprache konversation konversationen chatverlauf
cost: kosten kostet cout couts coute
customer: kunde kunden client clients
data: daten donnees
date: datum
delete: losche loschen loscht geloscht entferne entfernen supprimer supprime supprimez effacer efface
department: abteilung abteilungen departement
deposit: kaution caution
documentation: dokumentation
due: fallig fallige falligen zahlbar payable echeance
edit: bearbeite bearbeiten bearbeitet editer
employee: mitarbeiter angestellte employe employes
error: fehler erreur erreurs
export: exportiere exportieren exporter exporte
file: datei dateien fichier fichiers
find: finden trouver
folder: ordner verzeichnis dossier dossiers
format: formate formaten formats dateiformat dateiformate dateiformaten
high: hoch haut haute
history: verlauf historique
import: importiere importieren importer importe
inspector: inspektor inspecteur
install: installiere installieren installer installe
key: schlussel cle cles
keyboard: tastatur clavier
landlord: vermieter vermieterin proprietaire bailleur
language: sprache sprachen langue langues
library: bibliothek bibliotheque
license: lizenz licence
limit: grenze grenzen limite limites
memory: gedachtnis memoire
message: nachricht nachrichten
model: modell modelle modellen sprachmodell sprachmodelle modele modeles
month: monat monate mois
monthly: monatlich monatliche monatlichen mensuel mensuelle
name: namen nom noms
notes: notiz notizen
notice: kundigung kundigungsfrist preavis
opening: offnungszeiten ouverture
order: anweisung anweisungen consigne consignes
path: pfad pfade chemin chemins
pet: haustier haustiere
phone: handy telefon smartphone telephone mobile
picture: bild bilder image images
price: preis preise prix
private: privat prive privee privees vertraulich
product: produkt produkte produkten produit produits
program: programm programme programmen programmes
provider: anbieter fournisseur fournisseurs
question: frage fragen
read: lesen lest lire lis
receipt: quittung quittungen beleg belege recu recus
rename: umbenennen renommer
rent: miete mieten loyer loyers
report: bericht berichte rapport rapports
revenue: umsatz umsatze
run: ausfuhren laufen executer execute lancer
salary: gehalt gehalter lohn salaire salaires
sales: verkauf verkaufe vente ventes
search: suche suchen durchsuchen recherche recherches chercher
security: sicherheit securite
server: serveur serveurs
setting: einstellung einstellungen parametre parametres reglage reglages
share: teile teilen partager partage
shortcut: tastenkurzel tastenkombination tastenkombinationen kurzel raccourci raccourcis
source: quelle quellen
start: starte starten demarrer demarre
stop: stoppe stoppen anhalten arreter arrete
store: speicher speichern speichert gespeichert stocker stocke stockees stockes enregistrer enregistre enregistrees
summary: zusammenfassung zusammenfassungen
table: tabelle tabellen tableau tableaux
tenant: mieter mieterin locataire
timeline: zeitleiste zeitachse chronologie
tool: werkzeug werkzeuge outil outils
turn: runde runden tour tours
update: aktualisiere aktualisieren
use: benutze benutzen benutzt verwende verwenden verwendet nutze nutzen utiliser utilise
user: benutzer nutzer utilisateur utilisateurs
version: versionen fassung fassungen versions
write: schreiben ecrire
yearly: jahrlich jahrliche annuel annuelle
`;

const ENGLISH = new Map(
  WORDS.trim()
    .split("\n")
    .flatMap((line) => {
      const [english = "", words = ""] = line.split(": ");
      return words.split(" ").map((word) => [word, english] as const);
    }),
);

/** The English word; undefined for other words. `word`: in lower case, without accents. */
export function inEnglish(word: string): string | undefined {
  return ENGLISH.get(word);
}
