/** The fixed words of documents, in the document's language; English if it is not supported. */
export interface Labels {
  readonly contents: string;
  readonly sources: string;
  readonly notes: string;
  readonly continued: string;
  readonly noPicture: string;
}

const row = (contents: string, sources: string, notes: string, continued: string, noPicture: string): Labels => ({
  contents,
  sources,
  notes,
  continued,
  noPicture,
});

const ENGLISH = row("Contents", "Sources", "Notes", "continued", "Picture not available");

const LABELS: ReadonlyMap<string, Labels> = new Map([
  ["ar", row("المحتويات", "المصادر", "ملاحظات", "تابع", "الصورة غير متوفرة")],
  ["cs", row("Obsah", "Zdroje", "Poznámky", "pokračování", "Obrázek není k dispozici")],
  ["da", row("Indhold", "Kilder", "Noter", "fortsat", "Billedet er ikke tilgængeligt")],
  ["de", row("Inhalt", "Quellen", "Anmerkungen", "Fortsetzung", "Bild nicht verfügbar")],
  ["el", row("Περιεχόμενα", "Πηγές", "Σημειώσεις", "συνέχεια", "Η εικόνα δεν είναι διαθέσιμη")],
  ["es", row("Índice", "Fuentes", "Notas", "continuación", "Imagen no disponible")],
  ["fi", row("Sisällys", "Lähteet", "Huomautukset", "jatkuu", "Kuva ei ole saatavilla")],
  ["fr", row("Sommaire", "Sources", "Notes", "suite", "Image non disponible")],
  ["he", row("תוכן העניינים", "מקורות", "הערות", "המשך", "התמונה אינה זמינה")],
  ["hi", row("विषय-सूची", "स्रोत", "टिप्पणियाँ", "जारी", "चित्र उपलब्ध नहीं")],
  ["it", row("Indice", "Fonti", "Note", "segue", "Immagine non disponibile")],
  ["ja", row("目次", "出典", "注", "続き", "画像がありません")],
  ["ko", row("목차", "출처", "주석", "계속", "이미지를 사용할 수 없음")],
  ["nb", row("Innhold", "Kilder", "Merknader", "fortsatt", "Bildet er ikke tilgjengelig")],
  ["nl", row("Inhoud", "Bronnen", "Noten", "vervolg", "Afbeelding niet beschikbaar")],
  ["no", row("Innhold", "Kilder", "Merknader", "fortsatt", "Bildet er ikke tilgjengelig")],
  ["pl", row("Spis treści", "Źródła", "Przypisy", "ciąg dalszy", "Obraz niedostępny")],
  ["pt", row("Sumário", "Fontes", "Notas", "continuação", "Imagem não disponível")],
  ["ru", row("Содержание", "Источники", "Примечания", "продолжение", "Изображение недоступно")],
  ["sv", row("Innehåll", "Källor", "Noter", "fortsättning", "Bilden är inte tillgänglig")],
  ["th", row("สารบัญ", "แหล่งที่มา", "หมายเหตุ", "ต่อ", "ไม่มีรูปภาพ")],
  ["tr", row("İçindekiler", "Kaynaklar", "Notlar", "devam", "Resim mevcut değil")],
  ["uk", row("Зміст", "Джерела", "Примітки", "продовження", "Зображення недоступне")],
  ["zh", row("目录", "来源", "注释", "续", "图片不可用")],
]);

export function labelsOf(language: string): Labels {
  return LABELS.get(language) ?? ENGLISH;
}
