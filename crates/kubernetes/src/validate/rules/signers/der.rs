//! The structure of certificates and requests for them in DER, as Go's `crypto/x509` reads it.
//! Signatures are not verified, nor whether a point is on its curve.

const INTEGER: u8 = 0x02;
const BITS: u8 = 0x03;
const NULL: u8 = 0x05;
const IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
/// The tag `[0]` of the version of a certificate, and of the attributes of a request.
const TAGGED: u8 = 0xa0;

const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const ELLIPTIC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const ED25519: &[u8] = &[0x2b, 0x65, 0x70];
/// The identifier `organizationName` of a part of a subject.
const ORGANIZATION: &[u8] = &[0x55, 0x04, 0x0a];

/// The named curves, with the length of their uncompressed points.
const CURVES: [(&[u8], usize); 4] = [
    (&[0x2b, 0x81, 0x04, 0x00, 0x21], 57),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07], 65),
    (&[0x2b, 0x81, 0x04, 0x00, 0x22], 97),
    (&[0x2b, 0x81, 0x04, 0x00, 0x23], 133),
];

/// The values of DER that are left to read.
struct Values<'d>(&'d [u8]);

impl<'d> Values<'d> {
    /// The next value: its tag and contents.
    fn any(&mut self) -> Option<(u8, &'d [u8])> {
        let (&tag, rest) = self.0.split_first()?;
        let (&first, rest) = rest.split_first()?;
        let (length, rest) = match first {
            0..=0x7f => (usize::from(first), rest),
            // Four bytes hold every length; the encoding has to be the shortest.
            0x81..=0x84 => {
                let (bytes, rest) = rest.split_at_checked(usize::from(first - 0x80))?;
                let length = bytes.iter().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte));
                let is_shortest = length >= 0x80 && bytes.first() != Some(&0);
                (is_shortest.then_some(length)?, rest)
            }
            _ => return None,
        };
        let (contents, rest) = rest.split_at_checked(length)?;
        // Tags of several bytes do not occur.
        (tag & 0x1f != 0x1f).then_some(())?;
        self.0 = rest;
        Some((tag, contents))
    }

    /// The contents of the next value, which has this tag.
    fn next(&mut self, tag: u8) -> Option<&'d [u8]> {
        self.any().filter(|value| value.0 == tag).map(|it| it.1)
    }

    /// The contents of the next value, a list of values.
    fn list(&mut self, tag: u8) -> Option<Self> {
        self.next(tag).map(Self)
    }

    /// The bytes of the next value, a string of whole bytes.
    fn bits(&mut self) -> Option<&'d [u8]> {
        self.next(BITS)?.strip_prefix(&[0])
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The only value of the bytes, a sequence.
fn read_whole(der: &[u8]) -> Option<Values<'_>> {
    let mut outer = Values(der);
    outer.list(SEQUENCE).filter(|_| outer.is_empty())
}

/// The algorithm of a public key, and the length of a signature made with it if that is fixed.
struct Key<'d> {
    algorithm: &'d [u8],
    signature: Option<usize>,
}

/// Reads a public key. Keys of unknown algorithms have any contents.
fn read_key<'d>(values: &mut Values<'d>) -> Option<Key<'d>> {
    let mut info = values.list(SEQUENCE)?;
    let mut parameters = info.list(SEQUENCE)?;
    let algorithm = parameters.next(IDENTIFIER)?;
    let bits = info.bits()?;
    let mut signature = None;
    if algorithm == RSA {
        parameters.next(NULL)?.is_empty().then_some(())?;
        let mut numbers = read_whole(bits)?;
        let modulus = numbers.next(INTEGER)?;
        let exponent = numbers.next(INTEGER)?;
        let is_positive =
            |number: &[u8]| number.first().is_some_and(|byte| *byte < 0x80) && number != [0];
        (is_positive(modulus) && is_positive(exponent)).then_some(())?;
        signature = Some(modulus.strip_prefix(&[0]).unwrap_or(modulus).len());
    } else if algorithm == ELLIPTIC {
        let curve = parameters.next(IDENTIFIER)?;
        let (_, length) = CURVES.iter().find(|known| known.0 == curve)?;
        (bits.len() == *length && bits.first() == Some(&4)).then_some(())?;
    } else if algorithm == ED25519 {
        (bits.len() == 32 && parameters.is_empty()).then_some(())?;
        signature = Some(64);
    }
    Some(Key { algorithm, signature })
}

/// The parts of a subject or issuer: identifiers and values.
fn read_names<'d>(values: &mut Values<'d>) -> Option<Vec<(&'d [u8], &'d [u8])>> {
    let mut parts = Vec::new();
    let mut subject = values.list(SEQUENCE)?;
    while !subject.is_empty() {
        let mut set = subject.list(SET)?;
        while !set.is_empty() {
            let mut part = set.list(SEQUENCE)?;
            parts.push((part.next(IDENTIFIER)?, part.any()?.1));
        }
    }
    Some(parts)
}

/// A certificate request (PKCS #10).
pub(in crate::validate::rules) struct Request<'d> {
    /// The organizations of the subject, which are groups of Kubernetes.
    pub(in crate::validate::rules) organizations: Vec<&'d [u8]>,
}

impl<'d> Request<'d> {
    /// Reads a request whose key and signature have a form that the API server supports.
    pub(in crate::validate::rules) fn read(der: &'d [u8]) -> Option<Self> {
        let mut request = read_whole(der)?;
        let mut info = request.list(SEQUENCE)?;
        info.next(INTEGER)?;
        let subject = read_names(&mut info)?;
        let key = read_key(&mut info)?;
        info.list(TAGGED)?;
        let algorithm = request.list(SEQUENCE)?.next(IDENTIFIER)?;
        let signature = request.bits()?;
        let is_signed = key.signature.is_none_or(|length| length == signature.len())
            && match key.algorithm {
                RSA => algorithm.starts_with(RSA.split_last()?.1),
                ELLIPTIC => {
                    let mut numbers = read_whole(signature)?;
                    numbers.next(INTEGER)?;
                    numbers.next(INTEGER)?;
                    algorithm.starts_with(&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04])
                }
                other => other == ED25519 && algorithm == ED25519,
            };
        let organizations = subject.iter().filter(|part| part.0 == ORGANIZATION).map(|it| it.1);
        is_signed.then(|| Self { organizations: organizations.collect() })
    }
}

/// Whether the bytes are a certificate (X.509).
pub(super) fn is_certificate(der: &[u8]) -> bool {
    let read = || {
        let mut certificate = read_whole(der)?;
        let mut body = certificate.list(SEQUENCE)?;
        if body.0.first() == Some(&TAGGED) {
            body.any()?;
        }
        body.next(INTEGER)?;
        body.list(SEQUENCE)?.next(IDENTIFIER)?;
        read_names(&mut body)?;
        body.list(SEQUENCE)?;
        read_names(&mut body)?;
        read_key(&mut body)?;
        certificate.list(SEQUENCE)?.next(IDENTIFIER)?;
        certificate.bits()
    };
    read().is_some()
}
